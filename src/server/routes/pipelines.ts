// Pipelines: how they fare, and what an operator closes and opens.

import { createRoute } from "@hono/zod-openapi";
import { type Sluice, SluiceError } from "../../engine/index.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { done, list, whole } from "../contract/done.ts";
import { ownFigures, ownLimits } from "../contract/own-view.ts";
import { heldScope, pipeline, scope, switched, toPipelines, toValves } from "../contract/pipelines.ts";
import { doUnlessDry } from "../http/dry-run.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { ownerFor } from "./ownership.ts";
import { covered, itemsIn, type Scope, scopeWords } from "./scope.ts";

export function addPipelineRoutes(routes: Routes, sluice: Sluice): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/pipelines",
      tags: ["pipelines"],
      summary:
        "Pipelines with their versions and stages: how those fare, what limits them, what is held or switched off",
      responses: answers("All of them, by name", list(pipeline)),
    }),
    async (c) => {
      const owner = ownerFor(c);
      const own = owner === undefined ? undefined : await sluice.ownStages(owner);
      const [everybodys, limits] = [await sluice.figures(), await sluice.limits()];
      const figures = own === undefined ? everybodys : ownFigures(everybodys, own);
      const names = [...new Set(figures.map((one) => one.pipeline))];
      const versions = new Map<string, Awaited<ReturnType<typeof sluice.versions.list>>>();
      for (const name of names) versions.set(name, await sluice.versions.list(name));
      const valves = toValves(await sluice.valves());
      const told = own === undefined ? limits : ownLimits(limits, own);
      return c.json(whole(toPipelines(figures, versions, valves, told)), 200);
    },
  );
  addHold(routes, sluice);
  addResume(routes, sluice);
  addSwitch(routes, sluice);
}

function addHold(routes: Routes, sluice: Sluice): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/hold",
      tags: ["pipelines"],
      summary: "Holds a pipeline, a version or a stage; without any, everything",
      description:
        "What is being worked on goes on to the end of its visit. Nothing is lost, and `resume` lets all go on.",
      request: jsonBody(heldScope),
      responses: answers("It is held", done),
    }),
    async (c) => {
      const { note, ...held } = c.req.valid("json");
      const would = `Would hold ${scopeWords(held)}: ${itemsIn(covered(await sluice.figures(), held))} would wait.`;
      const { user: by } = principalOf(c.get("principal"));
      c.set("deed", { subject: scopeWords(held), detail: { ...held, note } });
      const options = note === undefined ? { by } : { by, note };
      return c.json(await doUnlessDry(c, would, () => sluice.pause(held, options)), 200);
    },
  );
}

function addResume(routes: Routes, sluice: Sluice): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/resume",
      tags: ["pipelines"],
      summary: "Ends a hold; of a pipeline, version or stage as it was held",
      request: jsonBody(scope),
      responses: answers("It is not held any more", done),
    }),
    async (c) => {
      const held = c.req.valid("json");
      const stages = covered(await sluice.figures(), held);
      const holds = toValves(await sluice.valves()).filter((one) => one.kind !== "switch");
      const these = holds.filter((one) => isSame(one, held));
      if (these.length === 0) throw new SluiceError("REFUSED", notHeld(held, holds));
      const would = `Would let ${scopeWords(held)} go on: ${itemsIn(stages)} waited there.`;
      const { user: by } = principalOf(c.get("principal"));
      c.set("deed", { subject: scopeWords(held), detail: held });
      const acted = await doUnlessDry(c, would, async () => {
        for (const { kind } of these) {
          if (kind === "hold") await sluice.resume(held, { by });
          else await sluice.versions.release(held.pipeline ?? "", held.version ?? 0, { by });
        }
      });
      return c.json(acted, 200);
    },
  );
}

type Held = { readonly pipeline: string | null; readonly version: number | null; readonly stage: string | null };

function isSame(one: Held, { pipeline, version, stage }: Scope): boolean {
  return one.pipeline === (pipeline ?? null) && one.version === (version ?? null) && one.stage === (stage ?? null);
}

function notHeld(asked: Scope, holds: readonly Held[]): string {
  const words = ({ pipeline, version, stage }: Held) =>
    scopeWords({ pipeline: pipeline ?? undefined, version: version ?? undefined, stage: stage ?? undefined });
  const held = holds.length === 0 ? "nothing is" : `held now: ${holds.slice(0, 10).map(words).join("; ")}`;
  return `${scopeWords(asked)} is not held as such; ${held}`;
}

function addSwitch(routes: Routes, sluice: Sluice): void {
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: "/api/v1/switches",
      tags: ["pipelines"],
      summary: "Switches a stage on or off, of all versions or of one",
      description: "Off: what comes to the stage waits there, and says so. On again: all of it goes on.",
      request: jsonBody(switched),
      responses: answers("It is switched", done),
    }),
    async (c) => {
      const { on, note, ...stage } = c.req.valid("json");
      const items = itemsIn(covered(await sluice.figures(), stage));
      const effect = on ? `${items} there would go on` : `${items} would wait there`;
      const would = `Would switch ${scopeWords(stage)} ${on ? "on" : "off"}: ${effect}.`;
      const { user: by } = principalOf(c.get("principal"));
      c.set("deed", {
        action: on ? "switch.on" : "switch.off",
        subject: scopeWords(stage),
        detail: { ...stage, note },
      });
      const options = note === undefined ? { by } : { by, note };
      const acted = await doUnlessDry(c, would, () =>
        on ? sluice.switches.on(stage, options) : sluice.switches.off(stage, options),
      );
      return c.json(acted, 200);
    },
  );
}
