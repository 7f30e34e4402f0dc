// What people are asked, and their answers. A member is asked about what is theirs.

import { createRoute, z } from "@hono/zod-openapi";
import { InputError, type ItemId, type QuestionId, type Sluice } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { answers, jsonBody, page, pageQuery } from "../contract/common.ts";
import { done } from "../contract/done.ts";
import { question, toQuestion } from "../contract/recurring.ts";
import { toldDone } from "../http/dry-run.ts";
import { pageOf } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { orRefuse } from "./named.ts";
import { ownerFor } from "./ownership.ts";

const given = z.strictObject({
  answer: z.unknown().openapi({ description: "One of its options, where it has some." }),
});

export function addQuestionRoutes(routes: Routes, sluice: Pick<Sluice, "questions" | "question" | "answer">): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/questions",
      tags: ["questions"],
      summary: "What waits for an answer, oldest first",
      request: { query: pageQuery.extend({ item: z.string().max(40).optional() }) },
      responses: answers("Open questions", page(question)),
    }),
    async (c) => {
      const { after, limit, item } = c.req.valid("query");
      const owner = ownerFor(c);
      // What is no id is refused.
      const asked = { owner, after: after as QuestionId | undefined, limit: limit + 1 };
      const found = await sluice.questions(item as ItemId | undefined, asked);
      return c.json(
        pageOf(found, limit, toQuestion, ({ id }) => id),
        200,
      );
    },
  );
  routes.add(
    "operate",
    createRoute({
      method: "post",
      path: "/api/v1/questions/{question}/answer",
      tags: ["questions"],
      summary: "Answers a question; the first answer counts",
      request: { params: z.object({ question: z.string().max(40) }), ...jsonBody(given) },
      responses: answers("Answered; the item goes on", done),
    }),
    async (c) => {
      const principal = principalOf(c.get("principal"));
      const id = c.req.valid("param").question as QuestionId; // what is none is refused
      const { answer } = c.req.valid("json");
      const asked = await sluice.question(id, { owner: ownOnly(principal) ?? undefined });
      if (answer === undefined) throw new InputError("answer", "answer: say what it is");
      orRefuse(await sluice.answer(id, answer, { by: principal.user, dryRun: c.get("isDry") }));
      c.set("deed", { action: "question.answer", subject: id, detail: { item: asked.item } });
      return c.json(toldDone(c, `Would answer it, and item ${asked.item} would go on.`), 200);
    },
  );
}
