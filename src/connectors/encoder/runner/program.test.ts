import { expect, it } from "vitest";
import { runProgram, TAIL_CHARACTERS } from "./program.ts";

const program = (script: string) => ({ confined: [], program: process.execPath, args: ["-e", script] });
const { signal } = new AbortController();

it("of a program that complains without end the last is kept, and no more of it at any time", async () => {
  let longest = 0;
  let times = 0;
  const script = `
    const line = "x".repeat(999) + "\\n";
    for (let i = 0; i < 20_000; i += 1) require("node:fs").writeSync(2, line);
    require("node:fs").writeSync(2, "the last of it");
    process.exit(3);`;
  const onComplaint = (tail: string) => {
    times += 1;
    longest = Math.max(longest, tail.length);
  };
  const { code, complaints } = await runProgram({ ...program(script), signal, onComplaint });
  expect([code, complaints.endsWith("x\nthe last of it")]).toEqual([3, true]);
  expect(times).toBeGreaterThan(1);
  expect([longest, complaints.length]).toEqual([TAIL_CHARACTERS, TAIL_CHARACTERS]);
});

it("of a line without an end only so much is kept", async () => {
  const lengths: number[] = [];
  const script = "for (let i = 0; i < 200; i += 1) require('node:fs').writeSync(1, 'x'.repeat(10_000));";
  await runProgram({ ...program(script), signal, onLine: (line) => lengths.push(line.length) });
  expect(lengths).toEqual([65_536]);
});
