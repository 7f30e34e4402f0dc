// The server's own encoder, where another speaks by its name.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BoardWord, MediaApp } from "../../src/apps/media/index.ts";
import { SluiceError } from "../../src/engine/index.ts";
import { resolve } from "../../src/main/config/resolve.ts";
import { startLocalEncoder } from "../../src/main/local-encoder.ts";
import { makeLog } from "../../src/main/log.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-local-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("ends where another has its name, and says so; the server goes on", async () => {
  const lines: string[] = [];
  const said: string[] = [];
  const words: boolean[] = [];
  const quiet: BoardWord = { begin: [], drop: [], taken: [], trial: null, againMs: 1 };
  const desk = {
    async hear(_: unknown, __: unknown, word: { readonly isLast: boolean }) {
      words.push(word.isLast);
      if (words.length === 1) return quiet;
      throw new SluiceError("CONFLICT", "another encoder speaks as nas; give this one another name");
    },
    wait: async () => false,
  };
  const { config } = resolve([]);
  const service = await startLocalEncoder({
    ...{ part: "up", log: makeLog({ format: "json", to: (line) => lines.push(line) }) },
    config: { ...config, "worker.name": "nas", "media.encoder": true, "media.encoderWork": join(root, "work") },
    media: { desk, tables: async () => ({}) } as unknown as MediaApp, // all that an encoder asks of it
    say: (_, sentence) => said.push(sentence),
  });
  await vi.waitUntil(() => said.length === 2, { timeout: 15_000 });
  expect(said[1]).toBe("no longer encoding: another encoder speaks as nas; give this one another name (worker.name)");
  expect(lines.some((line) => line.includes("encoder.refused"))).toBe(true);
  await service?.stop();
  const count = words.length;
  // Neither a goodbye by the other's name, nor a word more.
  expect([words.includes(true), words.length]).toEqual([false, count]);
});
