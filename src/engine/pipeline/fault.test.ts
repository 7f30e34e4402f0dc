import assert from "node:assert";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError, InputError, SluiceError } from "../../kit/index.ts";
import { Fault, type FaultKind, MESSAGE_BYTES, permanent, toFault, transient, unavailable } from "./fault.ts";

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

describe("a fault", () => {
  test("has a kind, a code, a message and a cause", () => {
    const cause = new Error("socket hang up");
    const fault = transient("RESET", "the encoder hung up", { cause, service: "encoder:one" });
    expect(fault).toMatchObject({ kind: "transient", code: "RESET", service: "encoder:one", cause });
    expect(fault.message).toBe("the encoder hung up");
    expect(fault).toBeInstanceOf(SluiceError);
    expect(fault.name).toBe("Fault");
  });

  test("of each kind has its own maker", () => {
    expect([permanent, transient, unavailable].map((make) => make("X", "x").kind)).toEqual([
      "permanent",
      "transient",
      "unavailable",
    ]);
  });

  test("keeps the time the other side asked for in milliseconds, and none where it did not", () => {
    expect(unavailable("BUSY", "busy", { retryAfter: "90s" }).retryAfterMs).toBe(90_000);
    expect(unavailable("BUSY", "busy", { retryAfter: 0 }).retryAfterMs).toBe(0);
    expect(unavailable("BUSY", "busy").retryAfterMs).toBeUndefined();
  });

  test.each<[string, Fault, string]>([
    ["a transient one: failure", transient("RESET", "x"), "failure"],
    ["a permanent one: success, for the service answered", permanent("UNSUPPORTED", "x"), "success"],
    ["a bug of ours: nothing", permanent("BUG", "x"), "none"],
    ["not reached: failure", unavailable("NOT_REACHED", "x"), "failure"],
    ["told to wait: nothing", unavailable("RATE_LIMITED", "x", { retryAfter: "1m" }), "none"],
    ["told to wait for no time at all: nothing", unavailable("RATE_LIMITED", "x", { retryAfter: 0 }), "none"],
    ["a full disk: nothing", unavailable("DISK_FULL", "x"), "none"],
    ["refused credentials: opens at once", unavailable("AUTH", "x"), "open"],
    ["one that says so itself", transient("JOB_FAILED", "x", { breaker: "success" }), "success"],
  ])("reports to its service's breaker; %s", (_, fault, report) => {
    expect(fault.breaker).toBe(report);
  });

  test.each<[string, unknown, unknown, string]>([
    ["a code in lower case", "transient", "timeout", "code"],
    ["a code with a space", "transient", "TIMED OUT", "code"],
    ["an empty code", "transient", "", "code"],
    ["a code that begins with a digit", "transient", "404", "code"],
    ["a code of 65 characters", "transient", "A".repeat(65), "code"],
    ["a code that is a list", "transient", ["TIMEOUT"], "code"],
    ["no code", "transient", undefined, "code"],
    ["an unknown kind", "temporary", "TIMEOUT", "kind"],
    ["no kind", undefined, "TIMEOUT", "kind"],
  ])("is refused with %s", (_, kind, code, field) => {
    const error = thrownBy(() => new Fault(kind as FaultKind, code as string, "no")); // untyped callers pass anything
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ field });
  });

  test("is refused with a negative time", () => {
    expect(() => unavailable("BUSY", "busy", { retryAfter: -1 })).toThrow(InputError);
  });
});

describe("toFault", () => {
  test("leaves a fault as it is", () => {
    const fault = unavailable("BUSY", "busy");
    expect(toFault(fault)).toBe(fault);
  });

  test.each<[string, unknown]>([
    ["a broken invariant", new BugError("two owners")],
    ["a value of ours that was refused", new InputError("output.size", "output.size is NaN")],
    ["a failed assertion", thrownBy(() => assert.equal(1, 2))],
  ])("%s is a bug, permanently", (_, thrown) => {
    expect(toFault(thrown)).toMatchObject({ kind: "permanent", code: "BUG", cause: thrown });
  });

  test.each<[string, unknown, string]>([
    ["an error", new Error("something odd"), "something odd"],
    ["a TypeError, which may come of a nonsensical answer", new TypeError("x is undefined"), "x is undefined"],
    ["an error of ours that nobody classified", new SluiceError("ODD", "odd"), "odd"],
    ["a text", "broken", "broken"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["an object", { status: 500 }, "{ status: 500 }"],
  ])("%s is unknown, tried again and counted", (_, thrown, message) => {
    expect(toFault(thrown)).toMatchObject({ kind: "transient", code: "UNKNOWN" });
    expect(toFault(thrown).message).toBe(message);
  });

  test("never judges by the text", () => {
    expect(toFault(new Error("permanent failure: 404 not found"))).toMatchObject({ kind: "transient" });
  });

  test("an error without a message speaks through its code and its causes", () => {
    const refused = Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:8080")], ""), {
      code: "ECONNREFUSED",
    });
    expect(toFault(refused).message).toBe("AggregateError: ECONNREFUSED ← connect ECONNREFUSED ::1:8080");
  });

  class Unreadable extends Error {
    override get message(): string {
      throw new Error("no");
    }
  }
  const hostile = new Proxy(new Error("x"), {
    getPrototypeOf() {
      throw new Error("no");
    },
  });
  test.each<[string, unknown]>([
    ["an error whose message throws", new Unreadable()],
    ["a proxy whose prototype throws", hostile],
    ["a proxy that was revoked", revoked()],
  ])("%s is unknown as well", (_, thrown) => {
    expect(toFault(thrown)).toMatchObject({ kind: "transient", code: "UNKNOWN" });
  });

  function revoked(): object {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }

  test("is total: anything thrown becomes a fault with a message that can be stored", () => {
    const text = fc.string({ unit: "binary", maxLength: 3_000 });
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          anything,
          text.map((message) => new Error(message)),
        ),
        (thrown) => {
          const fault = toFault(thrown);
          expect(fault).toBeInstanceOf(Fault);
          expect(fault.message).not.toContain("\0");
          expect(fault.message.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(fault.message)).toBeLessThanOrEqual(MESSAGE_BYTES);
        },
      ),
    );
  });
});
