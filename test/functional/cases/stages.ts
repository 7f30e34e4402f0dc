// What a stage's code is given, and what the engine keeps for it between visits.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { again, back, definePipeline, done, type ItemId, permanent, transient } from "../../../src/engine/index.ts";
import { doorway, story, type World } from "../world.ts";

const soon = { base: 20, cap: 20, jitter: 0 } as const;

export function describeStages(world: World): void {
  describe("a stage", () => {
    const seen: unknown[] = [];
    const films = definePipeline("films", {
      version: 1,
      input: z.object({ title: z.string(), year: z.int().default(2000) }),
    })
      .stage("search", { run: ({ input }) => done({ found: `${input.title}.mkv` }) })
      .stage("download", { run: ({ out }) => done({ path: `/tmp/${out.search.found}` }) })
      .stage("tidy", { run: () => done() })
      .stage("deliver", {
        run: ({ input, out, item, attempt, because }) => {
          seen.push({ input, out, owner: item.owner, attempt, because });
          return done({ at: out.download.path });
        },
      });

    test("sees the checked input and the outputs of the stages before it", async () => {
      const request = await world.sluice.submit(films, [{ title: "Alien" }], { owner: "ann" });
      const result = await world.finished(request);
      expect(seen).toEqual([
        {
          input: { title: "Alien", year: 2000 },
          out: { search: { found: "Alien.mkv" }, download: { path: "/tmp/Alien.mkv" } },
          owner: "ann",
          attempt: 1,
          because: {},
        },
      ]);
      expect(result).toMatchObject({ ok: true, items: [{ state: "done", output: { at: "/tmp/Alien.mkv" } }] });
      expect(await story(world.sluice, request.items[0])).toEqual([
        "search accepted",
        "search done",
        "download done",
        "tidy done",
        "deliver done",
      ]);
    });

    const keys: { stage: string; key: string; item: ItemId }[] = [];
    const keyed = definePipeline("keyed", { version: 1, input: z.object({ n: z.number() }) })
      .stage("first", {
        backoff: soon,
        run: ({ key, item, attempt }) => {
          keys.push({ stage: "first", key, item: item.id });
          if (attempt === 1) throw transient("NET", "reset");
          return done();
        },
      })
      .stage("second", {
        run: ({ key, item, because }) => {
          keys.push({ stage: "second", key, item: item.id });
          return because.note === undefined && keys.filter((one) => one.stage === "second").length === 1
            ? back("first", "once more")
            : done();
        },
      });

    test("has one idempotency key for all tries of a series, and another for everything else", async () => {
      await world.finished(await world.sluice.submit(keyed, [{ n: 1 }]));
      const [one, again_, two, afterBack] = keys.map((entry) => entry.key);
      expect(again_).toBe(one);
      expect(new Set([one, two, afterBack]).size).toBe(3);
    });

    const values: unknown[] = [];
    const saving = definePipeline("saving", { version: 1, input: z.object({}) })
      .stage("upload", {
        backoff: soon,
        run: async ({ checkpoint, attempt }) => {
          values.push(checkpoint.value);
          if (attempt === 1) {
            await checkpoint.save({ part: 1 });
            await checkpoint.save({ part: 2 });
            values.push(checkpoint.value);
            throw transient("NET", "reset");
          }
          return done();
        },
      })
      .stage("check", {
        run: ({ checkpoint }) => {
          values.push(checkpoint.value);
          return done();
        },
      });

    test("finds its checkpoint again after a fault; the next stage begins without one", async () => {
      await world.finished(await world.sluice.submit(saving, [{}]));
      expect(values).toEqual([undefined, { part: 2 }, { part: 2 }, undefined]);
    });

    const halfway = doorway();
    const reporting = definePipeline("reporting", { version: 1, input: z.object({}) })
      .stage("encode", {
        run: async ({ progress }) => {
          for (const percent of [10, Number.NaN, 140, -3, 40]) progress(percent);
          await halfway.pass();
          return done();
        },
      })
      .stage("deliver", { run: () => done() });

    test("reports progress; of the whole item it counts by the stage's share", async () => {
      const request = await world.sluice.submit(reporting, [{}]);
      const id = request.items[0] as ItemId;
      await halfway.reached;
      await world.until(async () => (await world.sluice.item(id)).stageProgress !== null);
      expect(await world.sluice.item(id)).toMatchObject({ state: "running", stageProgress: 40, progress: 20 });
      halfway.open();
      await world.finished(request);
      expect(await world.sluice.item(id)).toMatchObject({ state: "done", progress: 100 });
    });

    const reasons: unknown[] = [];
    const slow = definePipeline("slow", { version: 1, input: z.object({}) }).stage("encode", {
      timeout: 100,
      attempts: 2,
      backoff: soon,
      run: ({ signal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        }),
    });

    test("is told when its time is up, and that counts as an attempt", async () => {
      const request = await world.sluice.submit(slow, [{}]);
      expect((await world.finished(request)).items[0]).toMatchObject({ state: "failed", code: "TIMEOUT" });
      expect(reasons).toMatchObject([{ code: "TIMEOUT" }, { code: "TIMEOUT" }]);
      expect(await story(world.sluice, request.items[0])).toEqual([
        "encode accepted",
        "encode fault TIMEOUT",
        "encode fault TIMEOUT → failed",
      ]);
    });

    let ran = 0;
    const fileExists = ({ input }: { input: { file: string } }) => {
      if (input.file === "gone") throw permanent("SOURCE_GONE", "no such file");
    };
    const gated = definePipeline("gated", { version: 1, input: z.object({ file: z.string() }) })
      .stage("fetch", { run: ({ because }) => done({ fetched: because.note ?? "at first" }) })
      .stage("convert", {
        enter: [
          fileExists,
          function isFresh({ input, out }) {
            return input.file === "stale" && out.fetch.fetched === "at first" ? back("fetch", "fresh") : undefined;
          },
        ],
        leave: [
          function wholeFile({ input, out }) {
            expect(out.convert).toEqual({ size: 3 });
            if (input.file === "short") throw permanent("TRUNCATED", "3 of 9 bytes");
          },
        ],
        run: () => {
          ran += 1;
          return done({ size: 3 });
        },
      });

    const verdicts = async (item: ItemId | undefined) =>
      (await world.sluice.item(item as ItemId)).gates.map(
        ({ on, stage, gate, verdict, message }) => `${on} ${stage} ${gate} ${verdict}: ${message}`,
      );

    test("is not entered past a gate that refuses, and the gate is named", async () => {
      const before = ran;
      const result = await world.finished(await world.sluice.submit(gated, [{ file: "gone" }]));
      expect(result.items[0]).toMatchObject({
        state: "failed",
        code: "SOURCE_GONE",
        message: "gate fileExists: no such file",
      });
      expect(ran).toBe(before);
      expect(await verdicts(result.items[0]?.id)).toEqual([
        "enter convert fileExists refused: no such file",
        "enter convert isFresh null: null",
        "leave convert wholeFile null: null",
      ]);
    });

    test("is not left past a gate that refuses its output", async () => {
      const result = await world.finished(await world.sluice.submit(gated, [{ file: "short" }]));
      expect(result.items[0]).toMatchObject({
        state: "failed",
        code: "TRUNCATED",
        message: "gate wholeFile: 3 of 9 bytes",
      });
    });

    test("may be sent back by a gate", async () => {
      const request = await world.sluice.submit(gated, [{ file: "stale" }]);
      expect(await world.finished(request)).toMatchObject({ ok: true });
      expect(await story(world.sluice, request.items[0])).toEqual([
        "fetch accepted",
        "fetch done",
        "convert back",
        "fetch done",
        "convert done",
      ]);
      expect(await verdicts(request.items[0])).toEqual([
        "enter convert fileExists passed: null",
        "enter convert isFresh passed: null",
        "leave convert wholeFile passed: null",
      ]);
      const { entries } = await world.sluice.history(request.items[0] as ItemId);
      expect(entries[2]).toMatchObject({ outcome: "back", message: "gate isFresh: sent it back to fetch" });
    });

    test("passes where no gate objects", async () => {
      expect(await world.finished(await world.sluice.submit(gated, [{ file: "fine" }]))).toMatchObject({ ok: true });
    });

    let visits = 0;
    const patient = definePipeline("patient", { version: 1, input: z.object({}) }).stage("watch", {
      run: ({ attempt }) => {
        visits += 1;
        expect(attempt).toBe(1);
        return visits < 4 ? again(10) : done({ visits });
      },
    });

    test("may look again as often as it likes: it costs no attempt, and history shows it once", async () => {
      const request = await world.sluice.submit(patient, [{}]);
      expect((await world.finished(request)).items[0]?.output).toEqual({ visits: 4 });
      expect(await story(world.sluice, request.items[0])).toEqual([
        "watch accepted",
        "watch again again",
        "watch done",
      ]);
    });

    world.use(films, keyed, saving, reporting, slow, gated, patient);
  });
}
