import { expect, it } from "vitest";
import { manualClock } from "../kit/index.ts";
import { makeLog } from "./log.ts";
import { openWhenReady } from "./open-when-ready.ts";

const refused = () => Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

function world() {
  const pauses: number[] = [];
  const troubles: string[] = [];
  const lines: string[] = [];
  const over = new AbortController();
  const clock = { ...manualClock(), sleep: async (ms: number) => void pauses.push(ms) };
  const log = makeLog({ format: "json", to: (line) => lines.push(line) });
  const ports = {
    clock,
    log,
    signal: over.signal,
    onTrouble: ({ words }: { words: string }) => void troubles.push(words),
  };
  return { pauses, troubles, lines, over, ports };
}

it("a database that is late is tried again with growing pauses, and told once", async () => {
  const { pauses, lines, troubles, ports } = world();
  let tries = 0;
  const opened = await openWhenReady(async () => {
    tries += 1;
    if (tries < 9) throw refused();
    return "open";
  }, ports);
  expect(opened).toBe("open");
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect(troubles).toHaveLength(8);
  expect(lines).toHaveLength(1);
});

it("what no waiting helps against is not waited for", async () => {
  const { ports, pauses } = world();
  await expect(openWhenReady(async () => Promise.reject(new TypeError("bug")), ports)).rejects.toThrow("bug");
  expect(pauses).toEqual([]);
});

it("whoever is told to stop does not wait on", async () => {
  const { ports, over } = world();
  const tried = openWhenReady(async () => {
    over.abort();
    throw refused();
  }, ports);
  expect(await tried).toBeUndefined();
});
