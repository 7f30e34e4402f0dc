import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { processState } from "./process-identity.ts";
import { isBearer, readOrMakeToken, takeLock, tokenFileIn } from "./service-notes.ts";

let notes: string;
beforeEach(() => {
  notes = mkdtempSync(join(tmpdir(), "sluice-notes-"));
});
afterEach(() => rmSync(notes, { recursive: true, force: true }));

const self = { pid: process.pid, started: processState(process.pid)?.started ?? "" };

it("a folder is one process's, until that is gone", async () => {
  await takeLock(notes, self, "has it");
  await takeLock(notes, self, "has it");
  const other = { pid: process.ppid, started: processState(process.ppid)?.started ?? "" };
  await expect(takeLock(notes, other, "has it")).rejects.toThrow(`process ${process.pid} has it already`);
  for (const left of [JSON.stringify({ ...self, started: "before" }), '{"pid":', ""]) {
    writeFileSync(join(notes, "lock"), left);
    await takeLock(notes, other, "has it");
    expect(JSON.parse(readFileSync(join(notes, "lock"), "utf8"))).toEqual(other);
  }
});

it("a token is made once, long, and for nobody else to read", async () => {
  const file = tokenFileIn(notes);
  const token = await readOrMakeToken(file);
  expect(await readOrMakeToken(file)).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(token.length).toBeGreaterThanOrEqual(32);
  writeFileSync(file, "short");
  expect(await readOrMakeToken(file)).not.toBe("short");
  expect([isBearer(`Bearer ${token}`, token), isBearer(token, token), isBearer(undefined, token)]).toEqual([
    true,
    false,
    false,
  ]);
});
