import { expect, it } from "vitest";
import { SluiceError } from "../kit/index.ts";
import { troubleOf } from "./trouble.ts";

const coded = (code: string, message = "secret host") => Object.assign(new Error(message), { code });

it("a database that cannot be opened is told by the kind of trouble, and whether it passes", () => {
  expect(troubleOf(coded("ECONNREFUSED"))).toEqual({ words: "nothing listens at its address", isLasting: false });
  expect(troubleOf(coded("28P01"))).toEqual({ words: "it does not accept our password", isLasting: true });
  expect(troubleOf(new AggregateError([coded("ECONNREFUSED")]))?.words).toBe("nothing listens at its address");
  expect(troubleOf(coded("08006"))?.words).toBe("it breaks the connection off");
  expect(troubleOf(coded("53100"))).toEqual({ words: "it is in trouble itself", isLasting: false });
  expect(troubleOf(Object.assign(coded("ENOENT"), { syscall: "connect" }))?.words).toMatch(/nothing listens/);
  expect(troubleOf(new Error("timeout expired"))?.words).toBe("it cannot be reached");
});

it("what we refuse ourselves, and bugs, are not waited for", () => {
  expect(troubleOf(new SluiceError("RELEASE_TOO_OLD", "install a newer one"))).toBeUndefined();
  expect(troubleOf(new TypeError("x is undefined"))).toBeUndefined();
});

it.each(["42601", "42P01", "23505", "XX001", "EACCES", "ENOSPC", "ENOENT", "ERR_MODULE_NOT_FOUND"])(
  "%s never passes by itself, and is no database that is away",
  (code) => {
    expect(troubleOf(coded(code))).toBeUndefined();
  },
);

it("a server without the encryption that was asked for is not waited for", () => {
  expect(troubleOf(new Error("The server does not support SSL connections"))).toBeUndefined();
});
