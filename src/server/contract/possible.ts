// What can be done to an item, on the wire: everything there is, each with why not where it cannot be done now.

import { z } from "@hono/zod-openapi";
import type { ItemId, Possible } from "../../engine/index.ts";
import { isAllowed, type Principal } from "../access/principal.ts";
import { itemId } from "./common.ts";

const ACTIONS = [
  ...(["retry", "retry-parts", "cancel", "answer", "replay", "skip", "take-back", "run-once", "priority"] as const),
  ...(["remove", "hold", "resume"] as const),
] as const;
type ActionName = (typeof ACTIONS)[number];

const reason = z.string().nullable().openapi({ description: "Why not, where it cannot be done." });

export const possibleActions = z
  .object({
    item: itemId,
    stage: z.string(),
    priority: z.int(),
    actions: z.array(
      z.object({
        action: z.enum(ACTIONS),
        can: z.boolean(),
        reason,
        path: z
          .string()
          .openapi({ description: "Where it is posted to. Null where there is nothing it could be about." })
          .nullable(),
        body: z
          .record(z.string(), z.unknown())
          .nullable()
          .openapi({ description: "What has to be sent along, as far as it is known." }),
      }),
    ),
    replay: z
      .array(
        z.object({
          from: z.string(),
          same: z.object({ can: z.boolean(), reason }),
          copy: z.object({ can: z.boolean(), reason }),
          keeps: z.array(z.string()),
          redoes: z.array(z.string()),
        }),
      )
      .openapi({ description: "From every stage, in place or as a copy: what would be kept, and what done again." }),
  })
  .openapi("PossibleActions");

interface Told {
  readonly refusal: string | null;
  readonly path: string | null;
  readonly body?: Record<string, unknown> | null;
}

const NEEDS: { readonly [Name in ActionName]?: "admin" } = { hold: "admin", resume: "admin" };

export function toPossible(item: ItemId, possible: Possible, principal: Principal) {
  const mine = (action: ActionName, { refusal, path, body = null }: Told) => {
    const needed = NEEDS[action] ?? "operate";
    const why = isAllowed(principal, needed) ? refusal : `this needs the right to ${needed}`;
    return { action, can: why === null, reason: why, path, body };
  };
  const replay = possible.replay.map(({ from, same, copy, keeps, redoes }) => {
    const may = (refusal: string | null) => {
      const { can, reason: why } = mine("replay", { refusal, path: null });
      return { can, reason: why };
    };
    return { from, same: may(same), copy: may(copy), keeps: [...keeps], redoes: [...redoes] };
  });
  return {
    ...{ item, stage: possible.stage, priority: possible.priority, replay },
    actions: ACTIONS.map((action) => mine(action, toldOf(action, item, possible))),
  };
}

function toldOf(action: ActionName, item: ItemId, possible: Possible): Told {
  const { request, pipeline, stage, answer, resume } = possible;
  const path = `/api/v1/items/${item}/${action}`;
  switch (action) {
    case "retry":
    case "cancel":
      return { refusal: possible[action], path };
    case "retry-parts":
      return { refusal: possible.retryParts, path };
    case "take-back":
      return { refusal: possible.takeBack, path };
    case "run-once":
      return { refusal: possible.runOnce, path };
    case "skip":
      return { refusal: possible.skip, path, body: { stage } };
    case "priority":
      return { refusal: possible.setPriority, path };
    case "replay": {
      const any = possible.replay.some((one) => one.same === null || one.copy === null);
      return { refusal: any ? null : (possible.replay[0]?.same ?? "it has no stage"), path };
    }
    case "answer":
      return {
        refusal: answer.refusal,
        path: answer.question === null ? null : `/api/v1/questions/${answer.question}/answer`,
      };
    case "remove":
      return { refusal: possible.remove, path: `/api/v1/requests/${request}/remove` };
    case "hold":
      return { refusal: possible.hold, path: "/api/v1/hold", body: { pipeline, stage } };
    case "resume": {
      const scope = Object.entries(resume.held ?? {}).filter(([, value]) => value !== null);
      return {
        refusal: resume.refusal,
        path: "/api/v1/resume",
        body: resume.held === null ? null : Object.fromEntries(scope),
      };
    }
  }
}
