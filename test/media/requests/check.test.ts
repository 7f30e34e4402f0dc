// Whoever judges a run sees what is wrong with it.

import { expect, it } from "vitest";
import type { ItemId } from "../../../src/engine/index.ts";
import { check } from "./check.ts";
import type { Broken, Evidence, Happened, ItemFacts } from "./evidence.ts";

const at = (seconds: number) => new Date(seconds * 1_000);
const entry = (more: Partial<Happened>): Happened => ({
  ...{ outcome: "fault", from: "search", attempt: null, code: null, reason: null, ended: at(10), message: null },
  ...more,
});
const item: ItemFacts = {
  ...{ id: "itm_1" as ItemId, request: "req_1", pipeline: "media", asked: "film 1", state: "done", reason: null },
  ...{ sentence: "Done", createdAt: at(0), finishedAt: at(20), history: [entry({ code: "NOT_REACHED" })] },
  judged: { asked: "film 1", infohash: "a", path: "/a", sha256: "1", wrong: null },
};
const nonsense: Broken = { thing: "beacon", fault: "nonsense", atMs: 0, ms: 0, from: at(5), to: at(9) };
const good: Evidence = {
  ...{
    requests: 1,
    items: [item],
    torrents: [{ infohash: "a", tags: ["sluice-1"], isOurs: true }],
    broken: [nonsense],
  },
  ...{ stuck: [], doctor: [], unknown: new Set(["film 2"]) },
};
const kinds = (change: Partial<Evidence>) => check({ ...good, ...change }).map(({ kind }) => kind);
const one = (change: Partial<ItemFacts>) => kinds({ items: [{ ...item, ...change }] });
const waiting = { state: "waiting", judged: null, finishedAt: null };
const alone = { torrents: [] };

it("finds nothing in a run that is as it should be", () => {
  expect(kinds({})).toEqual([]);
});

it.each<[string, Partial<Evidence>, string[]]>([
  [
    "a torrent that nobody uses",
    { torrents: [...good.torrents, { infohash: "b", tags: [], isOurs: true }] },
    ["orphan"],
  ],
  ["a tag too many", { torrents: [{ infohash: "a", tags: ["sluice-1", "sluice-2"], isOurs: true }] }, ["orphan"]],
  ["a torrent that is gone", alone, ["orphan"]],
  ["what the doctor found", { doctor: ["x"] }, ["rules"]],
  ["what is stuck", { stuck: ["x"] }, ["stuck"]],
])("finds %s", (_, change, expected) => {
  expect(kinds(change)).toEqual(expected);
});

it("leaves alone what is somebody else's", () => {
  expect(kinds({ torrents: [...good.torrents, { infohash: "b", tags: [], isOurs: false }] })).toEqual([]);
});

it("takes only the true reason of what nobody has", () => {
  const nobodys = { ...item, ...waiting, asked: "film 2", reason: "not_available" };
  expect(kinds({ items: [nobodys], ...alone })).toEqual([]);
  expect(kinds({ items: [{ ...nobodys, asked: "film 1" }], ...alone })).toEqual(["untrue reason"]);
  expect(kinds({ items: [{ ...nobodys, reason: "service_down" }], ...alone })).toEqual(["untrue reason"]);
  expect(kinds({ items: [{ ...nobodys, asked: "film 1", state: "failed" }], ...alone })).toEqual(["not downloaded"]);
});

it("finds wrong content", () => {
  expect(one({ judged: { asked: "film 1", infohash: "a", path: "/a", sha256: "1", wrong: "another film" } })).toEqual([
    "wrong content",
  ]);
});

it("finds attempts that were spent on outages, and those that nothing explains", () => {
  const spent = (code: string, seconds = 10) => one({ history: [entry({ code, attempt: 1, ended: at(seconds) })] });
  expect(spent("NOT_REACHED")).toEqual(["attempt"]);
  expect(spent("SERVICE_DOWN")).toEqual(["attempt"]);
  expect(spent("UNKNOWN")).toEqual(["attempt"]);
  expect(spent("BAD_ANSWER")).toEqual([]);
  expect(spent("BAD_ANSWER", 60)).toEqual(["attempt"]);
  expect(spent("RESET")).toEqual(["attempt"]);
});
