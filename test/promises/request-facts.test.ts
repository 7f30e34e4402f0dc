import { expect, it } from "vitest";
import type { ItemId } from "../../src/engine/index.ts";
import type { Broken, Happened, ItemFacts } from "../media/requests/evidence.ts";
import type { Outcome } from "../media/requests/run.ts";
import { requestFacts } from "./request-facts.ts";

const at = (seconds: number) => new Date(seconds * 1_000);
const entry = (more: Partial<Happened>): Happened => ({
  ...{ outcome: "done", from: "search", attempt: null, code: null, reason: null, ended: at(10), message: null },
  ...more,
});
const film = (number: number, more: Partial<ItemFacts> = {}): ItemFacts => {
  const asked = `film ${number}`;
  return {
    ...{ id: `itm_${number}` as ItemId, request: `req_${number}`, pipeline: "media", asked, state: "done" },
    ...{ reason: null, partOf: null, sentence: "", createdAt: at(0), finishedAt: at(20), history: [] },
    judged: { asked, infohash: "a", path: "/a", sha256: "1", wrong: null },
    delivered: [{ asked, server: "attic", encoding: null, path: "1.mkv", sha256: "1", wrong: null }],
    ...more,
  };
};
const waits = { state: "waiting", judged: null, delivered: [], finishedAt: null };
const outage: Broken = { thing: "worker", fault: "kill", atMs: 0, ms: 0, from: at(8), to: at(12) };

function outcome(items: readonly ItemFacts[], more: Partial<Outcome> = {}): Outcome {
  return {
    ...{ requests: 3, seconds: 30, seed: 1, judgesTimes: false, keep: false, findings: [], quietMs: 1, load: 0 },
    fired: new Map([
      ["worker kill", 2],
      ["forge kill", 1],
      ["mill kill", 3],
      ["mill freeze", 9],
    ]),
    evidence: {
      ...{ requests: 3, items, torrents: [], broken: [outage], deleted: new Set<string>(), stuck: [], doctor: [] },
      ...{ versions: [], shelved: [], processes: [], transitions: { lines: 1, events: 1, recorded: 1 } },
      ...{ wallMs: 30, ownTimes: ["a", "b"].map((service) => ({ service, ms: 10 })), unknown: new Set(["film 3"]) },
    },
    ...more,
  };
}

it("a request is fulfilled when all that it asked for is there", () => {
  const sibling = { request: "req_1" };
  const all = [film(1), film(2, sibling), film(3, { ...waits, reason: "not_available" })];
  expect(requestFacts(outcome(all))).toMatchObject({ requests: 3, fulfilled: 1, unknown: 1, films: 3, completed: 2 });
  const wrong = { delivered: [{ ...film(2).delivered[0], wrong: "another film" }] } as Partial<ItemFacts>;
  expect(requestFacts(outcome([film(1), film(2, { ...sibling, ...wrong })]))).toMatchObject({ fulfilled: 0 });
});

it("a fault is got over when its item has arrived, or waits for nothing but that somebody has it", () => {
  const history = [entry({ outcome: "fault", code: "RESET", attempt: 1 }), entry({ outcome: "seen", code: "DONE" })];
  const part = film(4, { asked: null, partOf: "itm_1" as ItemId, state: "cancelled", history });
  const given = [
    film(1),
    part,
    film(2, { ...waits, history }),
    film(3, { ...waits, reason: "not_available", history }),
  ];
  expect(requestFacts(outcome(given))).toMatchObject({ troubles: 3, recovered: 2, attempts: 3 });
});

it("stalls, hands, kills, and what went on while something was broken are counted", () => {
  const history = [
    entry({}),
    entry({ ended: at(13) }),
    entry({ outcome: "seen", code: "STALLED" }),
    entry({ outcome: "retried" }),
  ];
  expect(requestFacts(outcome([film(1, { history })]))).toMatchObject({
    ...{ stalls: 1, hands: 1, meanwhile: 1, outages: 1, outagesMs: 4_000, ownMs: 20, longestMs: 20_000 },
    kills: { worker: 2, client: 0, encoders: 4 },
  });
});

it("what was found is counted by its kind", () => {
  const findings = [
    { kind: "orphan", what: "one" },
    { kind: "left behind", what: "two" },
    { kind: "orphan", what: "three" },
  ] as const;
  expect(requestFacts(outcome([], { findings }))).toMatchObject({
    orphans: 3,
    findings: ["2 × orphan: one", "1 × left behind: two"],
  });
});
