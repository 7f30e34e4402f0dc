// What was acknowledged is there afterwards, whoever was killed meanwhile: with the engine's own submit, on the PostgreSQL
// that it runs itself.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killAll, query, Workshop } from "./fixtures/drive.ts";
import type { SubmittingOptions } from "./fixtures/submitting-process.ts";

const ACKNOWLEDGED = 10_000;
const PER_KILL = 900;
const KINDS = ["sluice", "server", "both"] as const;

let shop: Workshop;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  shop = await Workshop.make();
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await shop.destroy();
}, 60_000);

function submitting(name: string, acks: string): ChildProcess {
  const options: SubmittingOptions = { folder: shop.path("data"), acks, name, submitters: 24 };
  const script = fileURLToPath(new URL("fixtures/submitting-process.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(options)], { execArgv: [] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Resolves when this process has been told so many more times that it was acknowledged. */
function acknowledgements(child: ChildProcess, more: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = more;
    child.on("message", () => {
      left -= 1;
      if (left === 0) resolve();
    });
    child.once("exit", (code, signal) => reject(new Error(`it ended with ${code ?? signal}, ${left} were missing`)));
  });
}

test("10,000 acknowledged submissions, Sluice, its PostgreSQL or both killed again and again: none is missing after a plain restart", {
  timeout: 180_000,
}, async () => {
  const acks = shop.path("acks");
  writeFileSync(acks, "");
  const acked = () =>
    readFileSync(acks, "utf8")
      .split("\n")
      .filter((line) => line !== "");

  let kills = 0;
  for (; acked().length < ACKNOWLEDGED; kills += 1) {
    const kind = KINDS[kills % KINDS.length];
    const child = submitting(`round ${kills}`, acks);
    const ended = once(child, "exit");
    await acknowledgements(child, PER_KILL);
    if (kind === "sluice" || kind === "both") child.kill("SIGKILL");
    if (kind === "server" || kind === "both") killAll(await shop.servers());
    if (kind === "server") {
      // A living Sluice starts its server again and goes on, without being told.
      await acknowledgements(child, PER_KILL / 2);
      child.send("leave");
    }
    await ended;
  }

  const { url } = await (await shop.open()).until("open");
  const stored = await query<{ tag: string; copies: number; whole: boolean }>(
    url,
    `select i.input ->> 'tag' as tag, count(*)::int as copies,
       bool_and(exists (select from sluice.run r where r.id = i.id) and exists (select from sluice.journal j where j.item_id = i.id)
         and exists (select from sluice.request q where q.id = i.request_id and q.total = 1)) as whole
     from sluice.item i
     group by 1`,
  );
  const found = new Map(stored.map((row) => [row.tag, row]));
  expect(acked().filter((tag) => !found.has(tag))).toEqual([]);
  expect(stored.filter((row) => row.copies !== 1 || !row.whole)).toEqual([]);
  expect(new Set(acked()).size).toBeGreaterThanOrEqual(ACKNOWLEDGED);
  expect(kills).toBeGreaterThanOrEqual(KINDS.length * 2);
});
