// Whoever judges a run sees what is wrong with it.

import { expect, it } from "vitest";
import type { ItemId } from "../../../src/engine/index.ts";
import { check, isCompleted } from "./check.ts";
import type { Broken, Evidence, Happened, ItemFacts } from "./evidence.ts";

const at = (seconds: number) => new Date(seconds * 1_000);
const entry = (more: Partial<Happened>): Happened => ({
  ...{ outcome: "fault", from: "search", attempt: null, code: null, reason: null, ended: at(10), message: null },
  ...more,
});
const item: ItemFacts = {
  ...{ id: "itm_1" as ItemId, request: "req_1", pipeline: "media", asked: "film 1", state: "done", reason: null },
  delivered: [
    { asked: "film 1", server: "attic", encoding: null, path: "Films/1.mkv", sha256: "1", wrong: null },
    { asked: "film 1", server: "cabin", encoding: "pocket", path: "Films/1.mkv", sha256: "2", wrong: null },
  ],
  ...{
    partOf: null,
    sentence: "Done",
    createdAt: at(0),
    finishedAt: at(20),
    history: [entry({ code: "NOT_REACHED" })],
  },
  judged: { asked: "film 1", infohash: "a", path: "/a", sha256: "1", wrong: null },
};
const nonsense: Broken = { thing: "beacon", fault: "nonsense", atMs: 0, ms: 0, from: at(5), to: at(9) };
const good: Evidence = {
  ...{
    requests: 1,
    items: [item],
    torrents: [{ infohash: "a", tags: ["sluice-1"], isOurs: true }],
    broken: [nonsense],
    deleted: new Set(["0".repeat(40)]),
  },
  ...{ stuck: [], doctor: [], unknown: new Set(["film 2"]), processes: [], wallMs: 20_000, ownTimes: [] },
  versions: [
    { server: "attic", path: "Films/1.mkv", bytes: 10, sha256: "1" },
    { server: "cabin", path: "Films/1.mkv", bytes: 5, sha256: "2" },
  ],
  shelved: [
    { server: "attic", path: "Films/1.mkv" },
    { server: "cabin", path: "Films/1.mkv" },
  ],
  transitions: { lines: 7, events: 7, recorded: 7 },
};
const kinds = (change: Partial<Evidence>) => check({ ...good, ...change }).map(({ kind }) => kind);
const one = (change: Partial<ItemFacts>) => kinds({ items: [{ ...item, ...change }] });
const waiting = { state: "waiting", judged: null, delivered: [], finishedAt: null };
const alone = { torrents: [], versions: [], shelved: [] };

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
  ["a torrent that is gone", { torrents: [] }, ["orphan"]],
  [
    "half a file under its name",
    { versions: [...good.versions, { server: "cabin", path: "Films/1.mkv", bytes: 3, sha256: "3" }] },
    ["half a file"],
  ],
  [
    "a part that was left",
    { shelved: [...good.shelved, { server: "attic", path: "Films/.1.mkv.1.part" }] },
    ["left behind"],
  ],
  ["a process that goes on", { processes: ["ffmpeg"] }, ["process"]],
  ["a line too few", { transitions: { lines: 6, events: 7, recorded: 7 } }, ["transitions"]],
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
  const lookedForAgain = { ...nobodys, state: "queued", reason: "queued" };
  const waited = entry({ outcome: "wait", reason: "not_available" });
  expect(kinds({ items: [{ ...lookedForAgain, history: [waited] }], ...alone })).toEqual([]);
  expect(kinds({ items: [lookedForAgain], ...alone })).toEqual(["untrue reason"]);
  expect(kinds({ items: [{ ...nobodys, reason: "service_down" }], ...alone })).toEqual(["untrue reason"]);
  expect(kinds({ items: [{ ...nobodys, asked: "film 1", state: "failed" }], ...alone })).toEqual(["not completed"]);
});

it("finds wrong content", () => {
  expect(one({ judged: { asked: "film 1", infohash: "a", path: "/a", sha256: "1", wrong: "another film" } })).toEqual([
    "wrong content",
  ]);
});

it("finds what is wrong at one server", () => {
  const delivered = item.delivered.map((place) => ({
    ...place,
    wrong: place.server === "cabin" ? "half a film" : null,
  }));
  expect(one({ delivered })).toEqual(["wrong content"]);
  expect(isCompleted({ ...item, delivered })).toBe(false);
  expect([isCompleted(item), isCompleted({ ...item, delivered: [] })]).toEqual([true, false]);
});

it("leaves parts to their item", () => {
  expect(kinds({ items: [item, { ...item, ...waiting, asked: null, partOf: item.id }] })).toEqual([]);
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

it("explains a torrent that is missed by its deletion, however late, and by nothing else", () => {
  const missed = (infohash: string) =>
    one({
      history: [
        entry({ code: "VANISHED", attempt: 1, ended: at(900), message: `main no longer knows ${infohash}/sluice-1` }),
      ],
    });
  expect(missed("0".repeat(40))).toEqual([]);
  expect(missed("1".repeat(40))).toEqual(["attempt"]);
});
