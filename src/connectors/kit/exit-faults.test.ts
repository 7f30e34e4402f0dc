import { describe, expect, test } from "vitest";
import { exitFault, SYSEXITS, startFault } from "./exit-faults.ts";

const facts = { program: "encode", service: "encoder:local" };

describe("an exit", () => {
  test("with 0 is no fault", () => {
    expect(exitFault({ code: 0, signal: null }, facts)).toBeUndefined();
  });

  test.each<[number | null, NodeJS.Signals | null, string, string, string]>([
    [1, null, "transient", "EXIT_1", "failure"],
    [255, null, "transient", "EXIT_255", "failure"],
    [null, "SIGKILL", "transient", "KILLED", "failure"],
    [null, "SIGSEGV", "transient", "CRASHED", "failure"],
    [null, "SIGABRT", "transient", "CRASHED", "failure"],
    [null, "SIGTERM", "unavailable", "INTERRUPTED", "none"],
    [null, "SIGINT", "unavailable", "INTERRUPTED", "none"],
    [null, "SIGHUP", "unavailable", "INTERRUPTED", "none"],
    [null, null, "transient", "UNKNOWN", "failure"],
  ])("with %s or by %s is %s %s, breaker %s", (code, signal, kind, name, breaker) => {
    expect(exitFault({ code, signal }, facts)).toMatchObject({ kind, code: name, breaker, service: "encoder:local" });
  });

  test("means what its program says it means", () => {
    expect(exitFault({ code: 65, signal: null }, facts)).toMatchObject({ kind: "transient", code: "EXIT_65" });
    expect(exitFault({ code: 65, signal: null }, { ...facts, exits: SYSEXITS })).toMatchObject({
      kind: "permanent",
      code: "BAD_INPUT",
    });
    const exits = { 3: { kind: "unavailable", code: "LICENCE" } } as const;
    expect(exitFault({ code: 3, signal: null }, { ...facts, exits })).toMatchObject({ kind: "unavailable" });
  });

  test("tells the last complaint", () => {
    const said = `${"noise ".repeat(1_000)}no such codec\n`;
    expect(exitFault({ code: 1, signal: null }, { ...facts, said })?.message).toMatch(
      /^encode left with 1: .*no such codec$/,
    );
  });
});

describe("a program that does not start", () => {
  test.each([
    ["ENOENT", "unavailable", "PROGRAM_MISSING"],
    ["EACCES", "unavailable", "PROGRAM_MISSING"],
    ["EAGAIN", "unavailable", "NO_RESOURCES"],
    ["E2BIG", "permanent", "REQUEST_TOO_LARGE"],
    ["EODD", "transient", "UNKNOWN"],
  ])("for %s is %s %s", (errno, kind, code) => {
    expect(startFault(Object.assign(new Error(errno), { code: errno }), facts)).toMatchObject({ kind, code });
  });
});
