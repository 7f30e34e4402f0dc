import { hostname } from "node:os";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { UsageError } from "../exit.ts";
import { encoderName } from "../local-encoder.ts";
import { encoderSettings } from "./encoder.ts";

const typed = { server: "http://nas:7470", token: "slk_x" };

it("unless it is said otherwise, it encodes five at a time under this machine's name", () => {
  expect(encoderSettings(typed, {})).toMatchObject({
    ...{ server: "http://nas:7470", token: "slk_x", name: encoderName(hostname()), slots: 5 },
    work: resolve("sluice-encoder"),
  });
  const env = { SLUICE_URL: "http://nas:7470", SLUICE_API_KEY: "slk_x" };
  expect(encoderSettings({ slots: "2", threads: "1" }, env)).toMatchObject({ ...typed, slots: 2, threads: 1 });
});

it.each([
  [{ token: "slk_x" }, "needs --server or SLUICE_URL"],
  [{ server: "http://nas:7470" }, "a key with the scope encode"],
  [{ ...typed, slots: "0" }, "--slots is a whole number from 1 to 1000"],
  [{ ...typed, threads: "many" }, "--threads is a whole number"],
  [{ ...typed, name: "a b" }, "--name: letters"],
])("%j is refused in words", (options, words) => {
  expect(() => encoderSettings(options, {})).toThrow(UsageError);
  expect(() => encoderSettings(options, {})).toThrow(words);
});

it("a machine may be called anything", () => {
  expect(["nas", "Ann's Mac", "-x", "", "ü".repeat(3)].map(encoderName)).toEqual([
    "nas",
    "Ann-s-Mac",
    "x",
    "encoder",
    "encoder",
  ]);
});
