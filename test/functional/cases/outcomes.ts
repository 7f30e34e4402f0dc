// The closed set of what a visit may return, and what comes of each.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { back, definePipeline, done, type ItemId, type Outcome, skip, wait } from "../../../src/engine/index.ts";
import { formatId } from "../../../src/kit/index.ts";
import { doorway, story, type World } from "../world.ts";

const nothing = z.object({});

export function describeOutcomes(world: World): void {
  describe("skip", () => {
    const sometimes = definePipeline("sometimes", { version: 1, input: nothing })
      .stage("convert", { run: () => skip("already in the right format", { path: "as it was" }) })
      .stage("sign", { run: () => skip("nobody asked for it") })
      .stage("deliver", { run: ({ out }) => done(out) });
    world.use(sometimes);

    test("passes the stage, keeps the reason, and may hand something on", async () => {
      const request = await world.sluice.submit(sometimes, [{}]);
      expect((await world.finished(request)).items[0]?.output).toEqual({ convert: { path: "as it was" } });
      const { entries } = await world.sluice.history(request.items[0] as ItemId);
      expect(entries.filter((entry) => entry.outcome === "skip").map((entry) => entry.message)).toEqual([
        "already in the right format",
        "nobody asked for it",
      ]);
    });
  });

  describe("wait", () => {
    let looks = 0;
    const forTime = definePipeline("wait-time", { version: 1, input: nothing }).stage("search", {
      run: () => {
        looks += 1;
        return looks < 3 ? wait("not_available", { again: 30 }) : done({ looks });
      },
    });

    test("for a time: visited again when it is over, which costs no attempt", async () => {
      const request = await world.sluice.submit(forTime, [{}]);
      expect((await world.finished(request)).items[0]?.output).toEqual({ looks: 3 });
      expect(await story(world.sluice, request.items[0])).toEqual([
        "search accepted",
        "search wait not_available",
        "search done",
      ]);
    });

    const forSignal = definePipeline("wait-signal", { version: 1, input: z.object({ bill: z.string() }) })
      .stage("bill", {
        run: ({ input, because }) =>
          because.signal === undefined
            ? wait("payment", { signal: `paid:${input.bill}` })
            : done({ paid: because.signal }),
      })
      .stage("rest", { run: ({ because, out }) => done({ ...out, because }) });

    test("for a signal: the payload arrives with the next visit, and only there", async () => {
      const request = await world.sluice.submit(forSignal, [{ bill: "1" }]);
      const id = request.items[0] as ItemId;
      await world.until(async () => (await world.sluice.item(id)).reason === "payment");
      expect(await world.sluice.explain(id)).toMatchObject({ state: "waiting", until: null });
      await world.sluice.signal("paid:other", { euro: 1 });
      await world.sluice.signal("paid:1", { euro: 3 });
      expect((await world.finished(request)).items[0]?.output).toEqual({ bill: { paid: { euro: 3 } }, because: {} });
    });

    test("for a signal that came before: it was kept, and is used once", async () => {
      await world.sluice.signal("paid:2", { euro: 4 });
      const first = await world.sluice.submit(forSignal, [{ bill: "2" }]);
      expect((await world.finished(first)).items[0]?.output).toMatchObject({ bill: { paid: { euro: 4 } } });
      const second = await world.sluice.submit(forSignal, [{ bill: "2" }]);
      const id = second.items[0] as ItemId;
      await world.until(async () => (await world.sluice.item(id)).reason === "payment");
      await world.sluice.cancel(id);
    });

    const seen: unknown[] = [];
    const signalOrTime = definePipeline("wait-either", { version: 1, input: nothing }).stage("bill", {
      run: ({ because }) => {
        seen.push(because.signal);
        return seen.length < 2 ? wait("payment", { signal: "never", again: 20 }) : done();
      },
    });

    test("for a signal or a time: whichever comes first", async () => {
      expect(await world.finished(await world.sluice.submit(signalOrTime, [{}]))).toMatchObject({ ok: true });
      expect(seen).toEqual([undefined, undefined]);
      expect(await world.rows("select 1 from sluice.waiter where key = 'never'")).toEqual([]);
    });

    const door = doorway();
    const other = definePipeline("wait-other", { version: 1, input: nothing }).stage("work", {
      run: async () => {
        await door.pass();
        return done();
      },
    });
    const follower = definePipeline("wait-item", { version: 1, input: z.object({ after: z.string() }) }).stage(
      "follow",
      {
        run: ({ input, because }) =>
          because.signal === undefined ? wait("other_item", { item: input.after }) : done(because.signal),
      },
    );

    test("for another item: until it has ended, and is told how", async () => {
      const first = await world.sluice.submit(other, [{}]);
      await door.reached;
      const second = await world.sluice.submit(follower, [{ after: first.items[0] as string }]);
      const id = second.items[0] as ItemId;
      await world.until(async () => (await world.sluice.item(id)).reason === "other_item");
      door.open();
      expect((await world.finished(second)).items[0]?.output).toEqual({ state: "done" });
      const late = await world.sluice.submit(follower, [{ after: first.items[0] as string }]);
      expect((await world.finished(late)).ok).toBe(true);
    });

    test("for an item that does not exist: a bug of the stage, not a wait without an end", async () => {
      const request = await world.sluice.submit(follower, [
        { after: formatId("item", 999_999_999n) },
        { after: "itm_x" },
      ]);
      const { items } = await world.finished(request);
      expect(items).toMatchObject([
        { state: "failed", code: "BUG" },
        { state: "failed", code: "BUG" },
      ]);
      expect(items[0]?.message).toContain("there is no item itm_");
    });

    const selfish = definePipeline("wait-self", { version: 1, input: nothing }).stage("follow", {
      run: ({ item }) => wait("myself", { item: item.id }),
    });

    test("for itself: likewise", async () => {
      const { items } = await world.finished(await world.sluice.submit(selfish, [{}]));
      expect(items).toMatchObject([{ state: "failed", code: "BUG" }]);
    });

    world.use(forTime, forSignal, signalOrTime, other, follower, selfish);
  });

  describe("back", () => {
    const outs: unknown[] = [];
    const returning = definePipeline("returning", { version: 1, input: nothing })
      .stage("search", { run: ({ because }) => done({ release: because.note === undefined ? "first" : "second" }) })
      .stage("check", {
        run: ({ out, because }): Outcome<{ checked: number } | undefined> => {
          outs.push({ out, because });
          return out.search.release === "first" ? done({ checked: 1 }) : skip("checked before", undefined);
        },
      })
      .stage("download", {
        run: ({ out }) => {
          outs.push({ out });
          return out.search.release === "first"
            ? back("search", { block: "first" })
            : done({ got: out.search.release });
        },
      });

    test("sends the item to an earlier stage with a note; what came of the stages since is forgotten", async () => {
      const request = await world.sluice.submit(returning, [{}]);
      expect((await world.finished(request)).items[0]?.output).toEqual({ got: "second" });
      expect(outs).toEqual([
        { out: { search: { release: "first" } }, because: {} },
        { out: { search: { release: "first" }, check: { checked: 1 } } },
        { out: { search: { release: "second" } }, because: {} },
        { out: { search: { release: "second" } } },
      ]);
      const { entries } = await world.sluice.history(request.items[0] as ItemId);
      expect(entries.map((entry) => `${entry.outcome} ${entry.series}`)).toEqual([
        "accepted 1",
        "done 1",
        "done 1",
        "back 2",
        "done 2",
        "skip 2",
        "done 2",
      ]);
    });

    const circling = definePipeline("circling", { version: 1, input: nothing })
      .stage("one", { run: () => done() })
      .stage("two", { attempts: 3, run: () => back("one") });

    test("is bounded by the attempts of the stage that sends back", async () => {
      const request = await world.sluice.submit(circling, [{}]);
      expect((await world.finished(request)).items[0]).toMatchObject({ state: "failed", code: "TOO_MANY_RETURNS" });
      expect((await story(world.sluice, request.items[0])).filter((line) => line === "two back")).toHaveLength(2);
    });

    world.use(returning, circling);
  });
}
