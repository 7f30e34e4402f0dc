// Taking something away that was set for media by its name: the same of all of them.

import { createRoute } from "@hono/zod-openapi";
import type { Tables } from "../../../engine/index.ts";
import { answers } from "../../contract/common.ts";
import { done } from "../../contract/done.ts";
import { mediaNameParam } from "../../contract/media/settings.ts";
import { tablesFor, toldDone } from "../../http/dry-run.ts";
import type { Routes } from "../../http/routes.ts";

export interface Removal {
  /** Of all of them. */
  readonly path: string;
  /** As it is called in what is told, and in the record of who did what. */
  readonly called: string;
  readonly action: `media.${string}.remove`;
  readonly summary: string;
  readonly drop: (tx: Transaction, name: string) => Promise<unknown>;
}
type Transaction = Parameters<Parameters<Tables["transaction"]>[0]>[0];

export function addRemoval(routes: Routes, tables: Tables, { path, called, action, summary, drop }: Removal): void {
  routes.add(
    "admin",
    createRoute({
      method: "delete",
      path: `${path}/{name}`,
      tags: ["media settings"],
      summary,
      request: { params: mediaNameParam },
      responses: answers("Removed", done),
    }),
    async (c) => {
      const { name } = c.req.valid("param");
      await tablesFor(c, tables).transaction((tx) => drop(tx, name));
      c.set("deed", { action, subject: name });
      return c.json(toldDone(c, `Would remove ${called} ${name}.`), 200);
    },
  );
}
