// Questions to people, and their answers.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ask, definePipeline, done, type ItemId, type QuestionId } from "../../../src/engine/index.ts";
import { formatId, parseId } from "../../../src/kit/index.ts";
import { story, type World } from "../world.ts";

const nothing = z.object({});

export function describeQuestions(world: World): void {
  describe("ask", () => {
    const asking = definePipeline("asking", { version: 1, input: z.object({ fallback: z.boolean() }) })
      .stage("choose", {
        run: ({ input, because }) => {
          if (because.answer !== undefined) return done();
          const fallback = { answer: "b", after: 50 };
          return ask("Which one?", { options: ["a", "b"], ...(input.fallback ? { fallback } : {}) });
        },
      })
      .stage("rest", { run: ({ because }) => done({ because }) });
    const remembering = definePipeline("remembering", { version: 1, input: nothing }).stage("choose", {
      run: ({ because }) => (because.answer === undefined ? ask("Which?") : done({ chosen: because.answer })),
    });
    world.use(asking, remembering);

    const questionOf = async (item: ItemId): Promise<QuestionId> => {
      await world.until(async () => (await world.sluice.item(item)).state === "needs-you");
      const [row] = await world.rows<{ id: string }>("select id from sluice.question where run_id = $1", [
        parseId("item", item),
      ]);
      return formatId("question", String(row?.id));
    };

    test("waits for a person; the first answer counts", async () => {
      const request = await world.sluice.submit(remembering, [{}]);
      const question = await questionOf(request.items[0] as ItemId);
      expect(await world.sluice.answer(question, { free: "text" })).toEqual({ ok: true });
      expect(await world.sluice.answer(question, "late")).toMatchObject({ ok: false });
      expect((await world.finished(request)).items[0]?.output).toEqual({ chosen: { free: "text" } });
    });

    test("tells only the stage that asked", async () => {
      const request = await world.sluice.submit(asking, [{ fallback: false }]);
      const question = await questionOf(request.items[0] as ItemId);
      expect(await world.sluice.answer(question, "a")).toEqual({ ok: true });
      expect((await world.finished(request)).items[0]?.output).toEqual({ because: {} });
    });

    test("takes one of its options and nothing else", async () => {
      const request = await world.sluice.submit(asking, [{ fallback: false }]);
      const question = await questionOf(request.items[0] as ItemId);
      await expect(world.sluice.answer(question, "c")).rejects.toMatchObject({
        code: "INVALID_INPUT",
        field: "answer",
      });
      expect(await world.sluice.answer(question, "b")).toEqual({ ok: true });
      await world.finished(request);
    });

    test("answers itself when its time is over", async () => {
      const request = await world.sluice.submit(asking, [{ fallback: true }]);
      expect(await world.finished(request)).toMatchObject({ ok: true });
      expect(await story(world.sluice, request.items[0])).toContain("choose answered");
      const question = await world.rows("select answer, answered_by from sluice.question where run_id = $1", [
        parseId("item", request.items[0] as ItemId),
      ]);
      expect(question).toEqual([{ answer: "b", answered_by: "nobody in time" }]);
    });

    test("is withdrawn when the item is cancelled", async () => {
      const request = await world.sluice.submit(asking, [{ fallback: false }]);
      const question = await questionOf(request.items[0] as ItemId);
      await world.sluice.cancel(request.request);
      expect(await world.sluice.answer(question, "a")).toMatchObject({ ok: false });
    });
  });
}
