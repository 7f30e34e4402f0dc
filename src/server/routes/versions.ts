// Versions of a pipeline side by side: how they do, which share of new requests each gets, and holding one of them.

import { createRoute, z } from "@hono/zod-openapi";
import { InputError, type Sluice, SluiceError, type VersionState } from "../../engine/index.ts";
import { isAllowed } from "../access/principal.ts";
import { answers, jsonBody, text } from "../contract/common.ts";
import { done, list, whole } from "../contract/done.ts";
import {
  heldVersion,
  ITEMS_COMPARED,
  rolloutBody,
  toVersion,
  versionsQuery,
  versionView,
} from "../contract/versions.ts";
import { toldDone } from "../http/dry-run.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { named, orRefuse } from "./named.ts";
import { ownerFor } from "./ownership.ts";

type Ports = Pick<Sluice, "versions" | "figures">;

const params = z.object({ pipeline: text });
const oneVersion = params.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });

export function addVersionRoutes(routes: Routes, sluice: Ports): void {
  const { versions } = sluice;
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/pipelines/{pipeline}/versions",
      tags: ["pipelines"],
      summary: "Versions of a pipeline side by side: shares of new requests, workers, and how their newest items did",
      request: { params, query: versionsQuery },
      responses: answers("All of them, oldest first", list(versionView)),
    }),
    async (c) => {
      const { pipeline } = c.req.valid("param");
      const { items } = c.req.valid("query");
      if (items > ITEMS_COMPARED && !isAllowed(principalOf(c.get("principal")), "admin"))
        throw new InputError(
          "items",
          `items: up to ${ITEMS_COMPARED}; more take long, and only admins may ask for them`,
        );
      const states = await versionsOf(sluice, pipeline);
      // They add up everybody's items, so they are for those who may see everybody's.
      const tellsAll = ownerFor(c) === undefined;
      const figures = tellsAll ? await versions.compare(pipeline, { items }) : [];
      const orphans = tellsAll ? (await versions.orphans()).filter((one) => one.pipeline === pipeline) : [];
      return c.json(whole(states.map((one) => toVersion(one, figures, orphans))), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: "/api/v1/pipelines/{pipeline}/rollout",
      tags: ["pipelines"],
      summary: "Sets which share of new requests each version gets, from now on and in all processes",
      description: "Of requests that name no version. Items finish on the version they began with.",
      request: { params, ...jsonBody(rolloutBody) },
      responses: answers("It holds from now on", done),
    }),
    async (c) => {
      const { pipeline } = c.req.valid("param");
      const { shares, note } = c.req.valid("json");
      await versionsOf(sluice, pipeline);
      const options = { by: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
      orRefuse(await versions.set(pipeline, shares, note === undefined ? options : { ...options, note }));
      c.set("deed", { action: "rollout.set", subject: pipeline, detail: { shares, note } });
      const told = Object.entries(shares).map(([version, percent]) => `${percent} % to version ${version}`);
      return c.json(toldDone(c, `Would give of the new requests of ${pipeline} ${told.join(", ")}.`), 200);
    },
  );
  addHolds(routes, sluice);
}

const HOLDS = {
  hold: {
    summary: "Keeps everything that one version has in flight where it is",
    description: "What was begun outside is looked after to its end. New requests get what the rollout says.",
  },
  release: { summary: "Lets what one version has in flight go on", description: "Where it is held as a version." },
} as const;

function addHolds(routes: Routes, sluice: Ports): void {
  for (const does of ["hold", "release"] as const)
    routes.add(
      "admin",
      createRoute({
        method: "post",
        path: `/api/v1/pipelines/{pipeline}/versions/{version}/${does}`,
        tags: ["pipelines"],
        ...HOLDS[does],
        request: { params: oneVersion, ...jsonBody(heldVersion, false) },
        responses: answers("Done", done),
      }),
      async (c) => {
        const { pipeline, version } = c.req.valid("param");
        const { note } = c.req.valid("json");
        const { held } = found(await versionsOf(sluice, pipeline), pipeline, version);
        if (does === "release" && held === "no") throw new SluiceError("REFUSED", "this version is not held");
        const options = { by: principalOf(c.get("principal")).user, dryRun: c.get("isDry") };
        orRefuse(await sluice.versions[does](pipeline, version, note === undefined ? options : { ...options, note }));
        c.set("deed", { action: `version.${does}`, subject: `${pipeline} ${version}`, detail: { note } });
        const would = does === "hold" ? "keep everything in flight where it is" : "let everything go on that it held";
        return c.json(toldDone(c, `Version ${version} of ${pipeline} would ${would}.`), 200);
      },
    );
}

/** Never none: a name that nobody knows is refused with the one that may have been meant. */
async function versionsOf(sluice: Ports, pipeline: string): Promise<VersionState[]> {
  const states = await sluice.versions.list(pipeline);
  if (states.length > 0) return states;
  const known = new Set((await sluice.figures()).map((one) => one.pipeline));
  named(
    "pipeline",
    pipeline,
    [...known].map((name) => ({ name })),
  );
  return states;
}

function found(states: readonly VersionState[], pipeline: string, version: number): VersionState {
  const one = states.find((state) => state.version === version);
  const known = states.map((state) => state.version).join(", ");
  if (one === undefined)
    throw new SluiceError("NOT_FOUND", `${pipeline} has no version ${version}; known here: ${known}`, {
      field: "version",
    });
  return one;
}
