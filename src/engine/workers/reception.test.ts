import { describe, expect, it } from "vitest";
import { silentLogger } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { Places } from "./places.ts";
import { type Arriving, chooseArriving, Reception } from "./reception.ts";
import type { Place } from "./registry.ts";

/** What it looks at. */
interface Kind {
  readonly lane?: number;
  readonly service?: string;
  readonly fair?: boolean;
  readonly concurrency?: number;
  readonly perKey?: number;
}

const place = ({ lane = 1, service = "", fair = false, ...stage }: Kind = {}) =>
  ({ lane, service, pipeline: { fair }, stage }) as unknown as Place;
const arriving = (change: Partial<Arriving> = {}): Arriving => ({ first: place(), priority: 3, delayMs: 0, ...change });
const row = (id: string) => ({ id }) as ClaimedRow;

describe("choosing what may be begun here", () => {
  const choose = (list: readonly Arriving[], room: number) => [...chooseArriving(list, room, () => true)];

  it("takes the most urgent first, and of equals those that came first", () => {
    const list = [4, 3, 3, 1].map((priority) => arriving({ priority }));
    expect([0, 1, 2, 9].map((room) => choose(list, room))).toEqual([[], [3], [3, 1], [3, 1, 2, 0]]);
  });

  it("leaves alone what is due later", () => {
    expect(choose([arriving({ delayMs: 1 }), arriving()], 2)).toEqual([1]);
  });
});

function open(most = 2) {
  const begun: string[] = [];
  let epoch = "7";
  let woken = 0;
  let letBegin = () => {};
  const places = new Places(most, () => begun.length);
  const ports = {
    log: silentLogger,
    registry: { serves: ({ lane }: Place) => lane !== 8 },
    isClosed: (lane: number) => lane === 9,
    valveGeneration: () => "3",
    epoch: () => epoch,
    servedLanes: () => [1, 2],
    begin: async (rows: readonly ClaimedRow[]) => {
      await new Promise<void>((resolve) => {
        letBegin = resolve;
      });
      begun.push(...rows.map(({ id }) => id));
      return rows.length;
    },
    wake: () => {
      woken += 1;
    },
  };
  const reception = new Reception(ports, places);
  const anew = () => {
    epoch = "8";
  };
  return { reception, places, begun, woken: () => woken, letBegin: () => letBegin(), anew };
}

describe("a process that works, to what enters in it", () => {
  it("promises each place once, until what it was kept for is in hand", async () => {
    const { reception, places, begun, letBegin, woken } = open();
    const kept = reception.keep([arriving()]);
    expect([kept?.epoch, kept?.servedLanes, kept?.valves, kept?.chosen]).toEqual(["7", [1, 2], "3", new Set([0])]);
    expect(places.free).toBe(1);
    const both = reception.keep([arriving(), arriving()]);
    expect([both?.chosen, places.free]).toEqual([new Set([0]), 0]);
    expect(reception.keep([arriving()])).toBeUndefined();
    const answered = kept?.answered([row("a")]);
    expect(places.free).toBe(0);
    letBegin();
    await answered;
    expect([begun, places.free, woken()]).toEqual([["a"], 0, 0]);
    await both?.answered([]);
    expect([places.free, woken()]).toEqual([1, 1]);
  });

  it("keeps none for what a claim would have to ask somebody about, or would not take", () => {
    const kinds = [{ service: "api" }, { fair: true }, { concurrency: 1 }, { perKey: 1 }, { lane: 8 }, { lane: 9 }];
    for (const kind of kinds) expect(open().reception.keep([arriving({ first: place(kind) })])).toBeUndefined();
  });

  it("begins nothing that was leased to a former life of it", async () => {
    const { reception, begun, anew, places } = open();
    const kept = reception.keep([arriving()]);
    anew();
    await kept?.answered([row("a")]);
    expect([begun, places.free]).toEqual([[], 2]);
  });

  it("begins nothing after it was given up, under whatever epoch it goes on", async () => {
    const { reception, begun, places, woken } = open();
    const kept = reception.keep([arriving()]);
    reception.abandon();
    await kept?.answered([row("a")]);
    expect([begun, places.free, woken()]).toEqual([[], 2, 1]);
  });

  it("keeps none any more once it stops, and has settled when all are answered", async () => {
    const { reception, letBegin, begun } = open();
    const kept = reception.keep([arriving()]);
    reception.stop();
    expect(reception.keep([arriving()])).toBeUndefined();
    const settled = reception.settled().then(() => [...begun]);
    const answered = kept?.answered([row("a")]);
    letBegin();
    await answered;
    expect(await settled).toEqual(["a"]);
  });
});
