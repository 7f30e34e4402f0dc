// What handlers may be, and what surrounds them: many visits in one call, a thread, a deadline, functions around every visit,
// a trace, and what a visit notes.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Came, definePipeline, done, type ItemId, permanent, wait } from "../../../src/engine/index.ts";
import { story, type World } from "../world.ts";

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

export function describeHandlers(world: World): void {
  describe("a handler", () => {
    const calls: number[] = [];
    const sums = definePipeline("sums", { version: 1, input: z.object({ n: z.number() }) }).stage("sum", {
      runMany: {
        most: 4,
        run: (visits) => {
          calls.push(visits.length);
          return visits.map(({ input: { n } }) =>
            n === 3 ? permanent("ODD", "no such number") : done({ twice: 2 * n }),
          );
        },
      },
    });
    const heavy = definePipeline("heavy", { version: 1, input: z.object({ does: z.string() }) }).stage<
      "compute",
      unknown
    >("compute", { attempts: 1, thread: new URL("../../support/threads/deeds.ts", import.meta.url) });
    const late = definePipeline("late", { version: 1, input: z.object({}), deadline: "1h" }).stage("wait", {
      run: () => wait("nobody", { signal: "nobody" }),
    });
    const seen: { trace: string | undefined; came: Came }[] = [];
    const noted = definePipeline("noted", { version: 1, input: z.object({}) }).stage("note", {
      run: ({ log, trace }) => {
        log.info("began", { trace });
        log.warn("slow disk \0");
        return done();
      },
    });
    world.use(sums, heavy, late, noted);
    world.bring({
      around: [
        async (visit, next) => {
          const came = await next();
          if (visit.pipeline === "noted") seen.push({ trace: visit.trace, came });
        },
      ],
    });

    test("that takes many visits at once answers for each of them", async () => {
      const request = await world.sluice.submit(
        sums,
        [1, 2, 3, 4, 5, 6].map((n) => ({ n })),
      );
      const { items } = await world.finished(request);
      expect(items.map((one) => one.output ?? one.code)).toEqual([
        ...[{ twice: 2 }, { twice: 4 }, "ODD"],
        ...[{ twice: 8 }, { twice: 10 }, { twice: 12 }],
      ]);
      expect(Math.max(...calls)).toBeLessThanOrEqual(4);
      expect(calls.reduce((sum, one) => sum + one, 0)).toBe(6);
    });

    test("in a thread of its own hands on what it made, and fails as any other", async () => {
      const request = await world.sluice.submit(heavy, [{ does: "sum" }, { does: "throw" }]);
      const { items } = await world.finished(request);
      expect(items.map((one) => one.state)).toEqual(["done", "failed"]);
    });

    test("is wrapped, carries the trace of its item, and notes what people may read", async () => {
      const request = await world.sluice.submit(noted, [{}], { trace: TRACE });
      await world.finished(request);
      expect(seen).toEqual([{ trace: TRACE, came: "done" }]);
      const [notes] = await world.sluice.logs(request.items[0] as ItemId);
      expect(notes).toMatchObject({ stage: "note", attempt: 1, dropped: 0 });
      expect(notes?.lines).toMatchObject([
        { level: "info", text: "began", facts: { trace: TRACE } },
        { level: "warn", text: "slow disk " },
      ]);
    });

    test("that does not end in time fails with its deadline, the pipeline's or its own", async () => {
      const short = await world.sluice.submit(late, [{}], { deadline: "100ms" });
      expect((await world.finished(short)).items).toMatchObject([{ state: "failed", code: "DEADLINE" }]);
      const long = await world.sluice.submit(late, [{}]);
      const item = long.items[0] as ItemId;
      await world.until(async () => (await world.sluice.explain(item)).reason === "nobody");
      expect((await world.sluice.explain(item)).sentence).toMatch(/It has until .*, and fails then\.$/);
      expect(await story(world.sluice, short.items[0])).toContain("wait fault DEADLINE → failed");
      await world.sluice.cancel(item);
    });
  });
}
