// Deadlines of items: the real engine on a virtual clock.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { again, ask, child, definePipeline, done, spawn, transient, type Visit, wait } from "../../src/engine/index.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId } from "../../src/kit/index.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const ways = ["waits", "asks", "fails", "looks", "spawns", "quick"] as const;
const input = z.object({ does: z.enum(ways) });

const small = definePipeline("small", { version: 1, input: z.object({}) }).stage("only", {
  run: () => wait("paint_to_dry", { signal: "dry" }),
});

function act(visit: Visit<z.infer<typeof input>>) {
  switch (visit.input.does) {
    case "waits":
      return wait("weather", { signal: "sun" });
    case "asks":
      return ask("Which cut?");
    case "fails":
      throw transient("EIO", "bad sector");
    case "looks":
      return again("10m");
    case "spawns":
      return spawn([child(small, {}), child(small, {})]);
    case "quick":
      return done();
  }
}

const films = definePipeline("films", { version: 1, input, deadline: "3h" }).stage("encode", {
  attempts: 100,
  run: act as (visit: Visit<z.infer<typeof input>>) => ReturnType<typeof done>,
});

async function submitted(does: (typeof ways)[number], options: { deadline?: "2h" } = {}) {
  const t = await testSluice({ pipelines: [films, small] });
  open = t;
  const { items, request } = await t.submit(films, [{ does }], options);
  return { t, item: items[0] as ItemId, request };
}

describe("a deadline", () => {
  it.each(["waits", "asks", "fails", "looks"] as const)(
    "fails an item that still %s then, and not before",
    async (does) => {
      const { t, item, request } = await submitted(does, { deadline: "2h" });
      await t.advance("119m");
      expect((await t.sluice.item(item)).state).not.toBe("failed");
      await t.advance("2m");
      expect((await t.trace(item)).at(-1)).toBe("encode fault DEADLINE → failed");
      expect((await t.sluice.request(request)).status).toBe("FAILED");
      expect((await t.sluice.explain(item)).sentence).toMatch(
        /^Failed in encode at .*: it had not ended when its time was over \(DEADLINE: its deadline has passed\)\. /,
      );
      expect(await t.sluice.questions(item)).toEqual([]);
    },
  );

  it("is the pipeline's where none is given, counts from the submission, and is told", async () => {
    const { t, item } = await submitted("waits");
    await t.advance("2h");
    const told = await t.sluice.explain(item);
    expect(told.sentence).toMatch(/It has until 03:00 UTC.*, and fails then\.$/);
    expect(told.reason).toBe("weather");
    await t.advance("61m");
    expect((await t.sluice.item(item)).state).toBe("failed");
  });

  it("does not concern what has ended", async () => {
    const { t, item } = await submitted("quick", { deadline: "2h" });
    await t.advance("3h");
    expect(await t.trace(item)).toEqual(["encode accepted", "encode done"]);
  });

  it("ends what the item waits for with it", async () => {
    const { t, item } = await submitted("spawns", { deadline: "2h" });
    await t.advance("121m");
    expect(await t.trace(item)).toEqual(["encode accepted", "encode spawn children", "encode fault DEADLINE → failed"]);
    const states = await t.db.query<{ state: number; count: number }>(
      { name: "states", text: "select state, count(*)::int as count from sluice.item group by state" },
      [],
    );
    expect(states).toEqual([{ state: 2, count: 3 }]);
  });

  it("does not outlive the first series: what a person tries again has all the time it needs", async () => {
    const { t, item } = await submitted("waits", { deadline: "2h" });
    await t.advance("121m");
    expect(await t.retry(item)).toEqual({ ok: true });
    await t.advance("5h");
    expect((await t.sluice.explain(item)).reason).toBe("weather");
    expect((await t.sluice.explain(item)).sentence).not.toContain("has until");
  });

  it("stops a visit that is under way, and its result is refused", async () => {
    const end = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<unknown>();
    const slow = definePipeline("slow", { version: 1, input: z.object({}) }).stage("encode", {
      timeout: "10h",
      run: async (visit) => {
        visit.signal.addEventListener("abort", () => aborted.resolve(visit.signal.reason));
        await end.promise;
        return done();
      },
    });
    const t = await testSluice({ pipelines: [slow] });
    open = t;
    const { items } = await t.submit(slow, [{}], { deadline: "5s" });
    // Time passes while it is held: whoever waited for rest would wait for the visit.
    const passing = t.advance("10s");
    expect(await aborted.promise).toMatchObject({ code: "TAKEN" });
    end.resolve();
    await passing;
    expect(await t.trace(items[0] as ItemId)).toEqual([
      "encode accepted",
      "encode refused",
      "encode fault DEADLINE → failed",
    ]);
  });

  it("leaves nothing behind outside", async () => {
    const farm = scripted().stallsAt(40);
    const encoder = service<typeof farm>("encoder");
    const outside = definePipeline("outside", { version: 1, input: z.object({}) }).stage("encode", {
      outside: encoder,
      start: (visit, client) => client.start(visit.key, {}),
      adopt: (visit, client) => client.adopt(visit.key),
      look: (refs, client) => client.look(refs),
      cancel: (ref, client) => client.cancel(ref),
      list: (client, prefix) => client.list(prefix),
      stall: { never: "10h", stopped: "10h" },
    });
    const t = await testSluice({ pipelines: [outside], services: { encoder: farm } });
    open = t;
    const { items } = await t.submit(outside, [{}], { deadline: "1h" });
    await t.advance("30m");
    expect(farm.jobs.size).toBe(1);
    await t.advance("1h");
    expect((await t.trace(items[0] as ItemId)).at(-1)).toBe("encode fault DEADLINE → failed");
    expect(farm.jobs.size).toBe(0);
    expect(await t.owed()).toEqual([]);
  });

  it.each([
    ["of no time at all", { deadline: 0 }],
    ["before the item may begin", { delay: "2h", deadline: "1h" }],
    ["that is no duration", { deadline: "soon" }],
  ])("%s is refused", async (_what, options) => {
    const t = await testSluice({ pipelines: [films, small] });
    open = t;
    await expect(t.submit(films, [{ does: "quick" }], options as { deadline: "1h" })).rejects.toMatchObject({
      field: "deadline",
    });
  });
});
