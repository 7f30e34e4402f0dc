// Pipelines whose work happens elsewhere: films are fetched by a service of jobs, calls only need somebody to answer, parcels
// have a job for each of their parts, each at a server of its own.

import { z } from "zod";
import { type AnyPipeline, definePipeline, done, service, transient, type Visit } from "../../src/engine/index.ts";
import { parseId } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import { hasTurns, limitOf } from "./fairness.ts";
import type { Surroundings } from "./handlers.ts";
import type { ServiceClient } from "./service-client.ts";

const input = z.object({ n: z.number() });
/** Clocks leap by months here, and what was accepted has to be there at the end. */
export const FOREVER = { done: false, failed: false, cancelled: false } as const;

const quick = { backoff: { base: "500ms", cap: "4s", jitter: "20%" }, timeout: "12s" } as const;
export const OUTSIDE_ATTEMPTS = { download: 3, store: 2, ask: 3, tell: 3, send: 3, sign: 2, remove: 1_000 } as const;

/** A share of seeds: with it a run takes half as long again. */
export function hasOutside(seed: number): boolean {
  return new Dice(seed, "outside").chance(0.4);
}

export function outsidePipelinesIn(world: Surroundings): AnyPipeline[] {
  const { jobs, api, servers } = servicesOf(world.seed);
  const itemOf = (visit: Pick<Visit, "item">) => parseId("item", visit.item.id);
  const place = (pipeline: string, stage: string) => ({ pipeline, version: 1, stage });
  const began = (pipeline: string, stage: string, visit: unknown) =>
    world.began(place(pipeline, stage), visit as Visit);
  const work = (pipeline: string, stage: string) =>
    ({
      ...quick,
      start: (visit: Pick<Visit, "key" | "item">, client: ServiceClient) => {
        began(pipeline, stage, visit);
        return client.start(visit.key, itemOf(visit));
      },
      adopt: ({ key }: { readonly key: string }, client: ServiceClient) => client.adopt(key),
      look: (refs: readonly string[], client: ServiceClient) => client.look(refs),
      cancel: (ref: string, client: ServiceClient) => client.cancel(ref),
      list: (client: ServiceClient) => client.list(),
      finish: (_visit: unknown, { output }: { readonly output: unknown }) => {
        // Said to be done, and not there yet.
        if (!world.isDurable((output as { ref: string }).ref)) throw transient("NOT_THERE", "it is not there yet");
        return done(output);
      },
      every: "1500ms",
      stall: { never: "15s", stopped: "15s" },
    }) as const;
  const films = definePipeline("films", { version: 1, input, keep: FOREVER, fair: hasTurns(world.seed, "films") })
    .stage("download", {
      ...work("films", "download"),
      ...limitOf(world.seed, "films", 1),
      outside: jobs,
      attempts: OUTSIDE_ATTEMPTS.download,
    })
    .stage("store", {
      ...quick,
      attempts: OUTSIDE_ATTEMPTS.store,
      run: (visit) => done({ nth: began("films", "store", visit) }),
    });
  const calls = definePipeline("calls", { version: 1, input, keep: FOREVER, fair: hasTurns(world.seed, "calls") })
    .stage("ask", {
      ...quick,
      ...limitOf(world.seed, "calls", 1),

      uses: api,
      attempts: OUTSIDE_ATTEMPTS.ask,
      run: async (visit) => {
        began("calls", "ask", visit);
        return done(await visit.call(api, (client) => client.act()));
      },
    })
    .stage("tell", {
      ...quick,
      attempts: OUTSIDE_ATTEMPTS.tell,
      run: async (visit) => {
        began("calls", "tell", visit);
        return done(await visit.call(jobs, (client) => client.act()));
      },
    });
  const parcels = definePipeline("parcels", { version: 1, input, keep: FOREVER, fair: hasTurns(world.seed, "parcels") })
    .stage("send", {
      ...work("parcels", "send"),
      ...limitOf(world.seed, "parcels", 2),

      outside: servers,
      parts: () => ["a", "b"],
      attempts: OUTSIDE_ATTEMPTS.send,
    })
    .stage("sign", {
      ...quick,
      attempts: OUTSIDE_ATTEMPTS.sign,
      run: (visit) => done({ nth: began("parcels", "sign", visit) }),
    });
  return [films, calls, parcels] as unknown as AnyPipeline[];
}

/** With limits of their own in each seed. */
function servicesOf(seed: number) {
  const dice = new Dice(seed, "services");
  const breaker = { failures: 2, items: 2, calls: 6, cooldown: "3s" } as const;
  const options = () => ({
    breaker,
    ...(dice.chance(0.6) ? { capacity: dice.between(1, 3) } : {}),
    ...(dice.chance(0.4) ? { limit: dice.pick(["2/s", "2/s", "5/s"]) } : {}),
    ...(dice.chance(0.4) ? { probe: (client: ServiceClient) => client.probe() } : {}),
  });
  return {
    jobs: service<ServiceClient>("jobs", options()),
    api: service<ServiceClient>("api", options()),
    servers: service.each<ServiceClient>("server", options()),
  };
}
