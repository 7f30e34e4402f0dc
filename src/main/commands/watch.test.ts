// What `sluice watch` shows, and how it is woken.

import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { ItemLine } from "../../server/contract/wire.ts";
import { helpText } from "../help.ts";
import { plain } from "../render/paint.ts";
import { liveCounts, pageCounts } from "../render/watched.ts";
import { Bell, onScreen, screen } from "./watch.ts";

const now = new Date("2030-01-01T12:00:00Z");

it("a bell that is rung is heard at once, and leaves nothing behind", async () => {
  const over = new AbortController();
  const bell = new Bell();
  const heard = bell.wait(3_600_000, over.signal);
  bell.ring();
  await heard;
  bell.ring();
  await bell.wait(3_600_000, over.signal);
  expect(getEventListeners(over.signal, "abort")).toHaveLength(0);
  const stopped = bell.wait(3_600_000, over.signal);
  over.abort();
  await stopped;
  expect(getEventListeners(over.signal, "abort")).toHaveLength(0);
});

describe("a screen", () => {
  const item: ItemLine = {
    ...{ id: "itm_0000000000001", request: "req_1", pipeline: "media", version: 1, stage: "encode", state: "running" },
    ...{
      status: "PROCESSING",
      reason: null,
      since: "2030-01-01T11:59:00Z",
      until: null,
      wait: null,
      attempts: 0,
      maxAttempts: 5,
    },
    ...{
      progress: 42,
      priority: 3,
      title: null,
      lastError: null,
      nextRetryAt: null,
      currentStep: "encode",
      key: "tmdb:603",
      part: null,
      partOf: null,
      owner: null,
      createdAt: "2030-01-01T11:00:00Z",
      completedAt: null,
    },
  };

  it("says how much there is, and shows it as far as it is wide", () => {
    const asked = { filter: "state:running", counts: pageCounts({ entries: [item], next: null }), rows: 20 };
    const wide = screen([item], asked, now, { isTerminal: true, width: 120, paint: plain });
    expect(wide).toMatch(/1 item: 1 running {2}state:running/);
    expect(wide).toContain("███▍░░░░  42 %");
    const narrow = screen([item], asked, now, { isTerminal: true, width: 80, paint: plain });
    expect(narrow).toContain("42 %");
    expect(narrow).not.toContain("█");
  });

  it("counts all there are, and says how many it has no room for", () => {
    const standing = { pipeline: "media", isMore: false, done: 7, failed: 1, took: null };
    const pipelines = [
      { ...standing, queued: 300, running: 4, waiting: 2, needsYou: 1 },
      { ...standing, queued: 10, running: 1, waiting: 0, needsYou: 0 },
    ];
    const sheet = { isTerminal: true, width: 80, paint: plain };
    const items = [item, item, item];
    const all = screen(items, { filter: "", counts: liveCounts({ pipelines }), rows: 2 }, now, sheet);
    expect(all).toContain("318 items: 5 running, 310 queued, 2 waiting, 1 needs-you");
    expect(all.split("\n").slice(3)).toEqual([expect.any(String), expect.any(String), "and 316 more"]);
    const page = { filter: "", counts: pageCounts({ entries: items, next: "x" }), rows: 2 };
    expect(screen(items, page, now, sheet)).toMatch(/more than 3 items\n(.|\n)*\nand more than 1 more$/);
  });

  it("is left with its cursor and colours as they were, also by whoever fails", async () => {
    let written = "";
    const terminal = { write: (text: string) => (written += text) };
    const failing = onScreen(terminal, async (write) => {
      write("a\nb");
      throw new Error("gone");
    });
    await expect(failing).rejects.toThrow("gone");
    const lines = ["\u001b[?25l\u001b[2J\u001b[Ha\u001b[K", "b\u001b[K", "\u001b[J\u001b[0m\u001b[?25h"];
    expect(written).toBe(lines.join("\n"));
  });

  it("says so where there is nothing", () => {
    const nothing = { filter: "", counts: pageCounts({ entries: [], next: null }), rows: 20 };
    expect(screen([], nothing, now, { isTerminal: true, width: 80, paint: plain })).toContain("nothing right now");
  });

  it("of help fits eighty columns, and names every command", () => {
    const lines = helpText().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const name of ["up", "why", "take-back", "switch", "completion"])
      expect(helpText()).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });
});
