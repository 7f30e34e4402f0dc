import { expect, test } from "vitest";
import { majorOf } from "./cluster-version.ts";
import { failureOf } from "./error.ts";
import { parseLinks } from "./library-links.ts";
import { parsePostmaster } from "./postmaster-file.ts";
import { parseStat } from "./process-identity.ts";

const stat = (name: string, state: string) =>
  `812 (${name}) ${state} 1 812 812 0 -1 4194560 9 0 0 0 3 1 0 0 20 0 1 0 55123 1000 2`;

test("a process's start is read past whatever its name holds, and a zombie has none", () => {
  expect(parseStat(stat("postgres", "S"))).toBe("55123");
  expect(parseStat(stat("a) S 1 (b", "R"))).toBe("55123");
  expect(parseStat(stat("postgres", "Z"))).toBeUndefined();
});

test("postmaster.pid is understood at every stage of being written", () => {
  const whole = "71\n/d\n1763000000\n54321\n\n127.0.0.1\n  1234 5\nready   \n";
  expect(parsePostmaster(whole)).toEqual({ pid: 71, port: 54321, ready: true });
  expect(parsePostmaster(whole.replace("ready ", "starting"))).toEqual({ pid: 71, port: 54321, ready: false });
  expect(parsePostmaster("71\n/d\n1763000000\n")).toEqual({ pid: 71, port: undefined, ready: false });
  expect(parsePostmaster("")).toBeUndefined();
});

test("the package's list of library links is read, and refused when it is something else", () => {
  expect(parseLinks('[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]')).toEqual([
    { file: "lib/libpq.so.5.18", link: "lib/libpq.so.5" },
  ]);
  expect(() => parseLinks("{}")).toThrow("not a list");
  expect(() => parseLinks('[{"source":1}]')).toThrow("without source and target");
});

test("the major version is what stands before the first dot", () => {
  expect(majorOf("18.4.0-beta.17")).toBe("18");
});

test("what PostgreSQL said becomes a code and a sentence, and stays in the message", () => {
  expect(failureOf("FATAL: x: No space left on device", "./data", "START_FAILED").code).toBe("DISK_FULL");
  expect(failureOf("error while loading shared libraries: libpq.so.5", "./data", "START_FAILED").code).toBe(
    "BINARIES_MISSING",
  );
  expect(failureOf("FATAL: bogus", "./data", "START_FAILED")).toMatchObject({
    code: "START_FAILED",
    message: expect.stringContaining("FATAL: bogus"),
  });
});
