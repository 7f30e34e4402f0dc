// The "break something" panel of a demo world: what there is, breaking it, and mending it. Only where such a world was handed in.

import { createRoute } from "@hono/zod-openapi";
import { SluiceError } from "../../engine/index.ts";
import { answers, jsonBody } from "../contract/common.ts";
import { done, list, whole } from "../contract/done.ts";
import { breakBody, mendBody, sandboxThing, toThing } from "../contract/sandbox.ts";
import { doUnlessDry } from "../http/dry-run.ts";
import type { Routes } from "../http/routes.ts";
import type { SandboxFault, SandboxPort, SandboxThing } from "../sandbox-port.ts";
import { named } from "./named.ts";

export function addSandboxRoutes(routes: Routes, sandbox: SandboxPort): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/sandbox",
      tags: ["sandbox"],
      summary: "The things of the demo world, and how each can be broken; 404 on a server that stands in none",
      responses: answers("All of them", list(sandboxThing)),
    }),
    (c) => c.json(whole(sandbox.things().map(toThing)), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/sandbox/break",
      tags: ["sandbox"],
      summary: "Breaks something, so that one can see what becomes of it",
      request: jsonBody(breakBody),
      responses: answers("It is broken", done),
    }),
    async (c) => {
      const { thing, fault } = c.req.valid("json");
      const { does, brokenSince } = faultOf(named("thing", thing, sandbox.things()), fault);
      if (brokenSince !== null) throw new SluiceError("REFUSED", `${thing} has that fault already; mend it first`);
      c.set("deed", { subject: `${thing} ${fault}` });
      return c.json(await doUnlessDry(c, does, () => sandbox.break(thing, fault)), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/sandbox/mend",
      tags: ["sandbox"],
      summary: "Mends what was broken: one fault, all of a thing, or everything",
      request: jsonBody(mendBody),
      responses: answers("It works again", done),
    }),
    async (c) => {
      const { thing, fault } = c.req.valid("json");
      const broken = brokenOf(sandbox.things(), thing, fault);
      const told = broken.map((one) => `${one.thing} ${one.fault}`).join(", ");
      c.set("deed", { subject: told === "" ? "nothing was broken" : told });
      const would = told === "" ? "Nothing is broken." : `Would mend ${told}.`;
      const act = async () => {
        for (const one of broken) await sandbox.mend(one.thing, one.fault);
      };
      return c.json(await doUnlessDry(c, would, act), 200);
    },
  );
}

function faultOf({ faults }: SandboxThing, fault: string): SandboxFault {
  return named("fault", fault, faults);
}

/** Who asks for one fault, which is none, thinks of another. */
function brokenOf(things: readonly SandboxThing[], thing: string | undefined, fault: string | undefined) {
  const asked = thing === undefined ? things : [named("thing", thing, things)];
  const isOne = fault !== undefined && asked[0] !== undefined ? faultOf(asked[0], fault) : undefined;
  if (isOne?.brokenSince === null) throw new SluiceError("REFUSED", `${thing} does not have that fault`);
  return asked.flatMap(({ name, faults }) =>
    faults
      .filter((one) => one.brokenSince !== null && (fault === undefined || one.name === fault))
      .map((one) => ({ thing: name, fault: one.name })),
  );
}
