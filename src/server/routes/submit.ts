// Handing in work: who hands it in owns it.

import { createRoute, type z } from "@hono/zod-openapi";
import {
  InputError,
  type Queryable,
  type Sluice,
  SluiceError,
  type SubmitOptions,
  type Submitted,
} from "../../engine/index.ts";
import { ownOnly, type Principal } from "../access/principal.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { submitBody, submitted } from "../contract/submit.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { keepTogether } from "../idempotency/idempotency.ts";

type Submission = z.output<typeof submitBody>;

export function addSubmitRoute(routes: Routes, sluice: Sluice): void {
  const { 200: done, default: wrong } = answers(
    "It would be taken; or the same was there, and this joined it",
    submitted,
  );
  routes.add(
    "submit",
    createRoute({
      method: "post",
      path: "/api/v1/requests",
      tags: ["requests"],
      summary: "Hands in work: one request, with an item for each input",
      request: jsonBody(submitBody),
      responses: { 200: done, 201: { ...done, description: "It is stored" }, default: wrong },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const { pipeline, version, inputs } = body;
      const options = optionsOf(body, principalOf(c.get("principal")));
      const target = version === undefined ? { name: pipeline } : { name: pipeline, version };
      if (c.get("isDry")) {
        const { joined, ...would } = await namingInputs(() => sluice.wouldSubmit(target, inputs, options));
        return c.json({ request: null, items: [], joined, would }, 200);
      }
      // What the inputs are is for the pipeline's own schema to say.
      const keyed = c.get("keyed");
      const alongside =
        keyed &&
        ((tx: Queryable, stored: Submitted) => {
          const { told, ...answer } = answerOf(stored);
          return keepTogether(tx, keyed, { ...answer, body: JSON.stringify(told) });
        });
      const given = { ...options, alongside };
      const stored = await namingInputs(() => sluice.submit(target as { name: string }, inputs as never[], given));
      const { request, items, joined } = stored;
      const { status, location, told } = answerOf(stored);
      const detail = { pipeline, key: body.key, owner: options.owner, items: items.length, joined };
      c.set("deed", { action: "request.submit", subject: request, detail });
      c.header("location", location);
      return c.json(told, status);
    },
  );
}

function answerOf({ request, items, joined }: Submitted) {
  const told = { request, items: [...items], joined, would: null };
  return { status: joined ? (200 as const) : (201 as const), location: `/api/v1/requests/${request}`, told };
}

function optionsOf(
  { pipeline: _, version: __, inputs: ___, owner, ...given }: Submission,
  by: Principal,
): SubmitOptions {
  const own = ownOnly(by);
  if (own !== null && owner !== undefined && owner !== own)
    throw new SluiceError("FORBIDDEN", "members hand in work of their own; leave owner out");
  // Keys are everybody's: to take the place of what holds one would end another's work.
  if (own !== null && given.onConflict !== undefined && given.onConflict !== "join")
    throw new SluiceError(
      "FORBIDDEN",
      `only an admin may ${given.onConflict} what others asked for; use onConflict: join`,
    );
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...named, owner: owner ?? by.user };
}

/** The engine knows inputs as items. */
async function namingInputs<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError) || !/^items\b/.test(error.field ?? "")) throw error;
    const rename = (text: string) => text.replaceAll(/\bitems(?=[[\s]|$)/g, "inputs");
    throw new InputError(rename(error.field ?? ""), rename(error.message), { cause: error });
  }
}
