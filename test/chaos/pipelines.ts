// The pipelines of a chaos run: one of each thing that a crash could break.

import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceClient, supervised } from "../../src/connectors/kit/service-client.ts";
import {
  again,
  child,
  definePipeline,
  done,
  type Outcome,
  permanent,
  service,
  spawn,
  transient,
  wait,
} from "../../src/engine/index.ts";
import { POST } from "./evidence.sql.ts";
import type { Asked } from "./evidence.ts";
import { act, type ChaosVisit, note } from "./outside.ts";

/** By hand instead of a library: every worker loads this file, two hundred times a run. */
const asked = {
  "~standard": {
    version: 1 as const,
    vendor: "chaos",
    validate(value: unknown) {
      const isAsked = typeof value === "object" && value !== null && "tag" in value && typeof value.tag === "string";
      return isAsked ? { value: value as Asked } : { issues: [{ message: "needs a tag", path: ["tag"] }] };
    },
    types: undefined as unknown as { readonly input: Asked; readonly output: Asked },
  },
};

export const ATTEMPTS = 4;
export const CAP = 4;
export const CHILDREN = 3;
const STEPS = 5;
const STEP_MS = 120;
const rules = { attempts: ATTEMPTS, backoff: { base: 100, cap: 500 }, timeout: "60s" } as const;

interface Handed {
  readonly tag: string;
  readonly stage: string;
}

/** One visit with one effect outside. It also checks that the stage before handed on what belongs to this item. */
async function work(visit: ChaosVisit, stage: string, before?: string): Promise<Outcome<Handed>> {
  note(visit, stage, "enter");
  if (before !== undefined) expectFrom(visit, before);
  const { fate, blips, tag } = visit.input;
  if (fate === "permanent" && before !== undefined) throw permanent("POISON", "this one was meant to fail");
  if (fate === "hopeless" && before !== undefined) throw transient("HOPELESS", "this one never gets better");
  if (before !== undefined && visit.attempt <= blips) throw transient("BLIP", `blip ${visit.attempt}`);
  await act(visit, stage, "effect");
  return done({ tag, stage });
}

function expectFrom(visit: ChaosVisit, before: string): void {
  // What the stage before returned; the pipeline's types cannot follow it into this shared function.
  const handed = (visit.out as Record<string, Handed | undefined>)[before];
  if (handed?.tag !== visit.input.tag) throw permanent("WRONG_CONTEXT", `found ${JSON.stringify(handed)}`);
}

export const chain = definePipeline("chain", { version: 1, input: asked })
  .stage("first", { ...rules, run: (visit) => work(visit, "first") })
  .stage("second", { ...rules, run: (visit) => work(visit, "second", "first") })
  .stage("third", { ...rules, run: (visit) => work(visit, "third") })
  .stage("fourth", { ...rules, run: (visit) => work(visit, "fourth") });

export const ledger = definePipeline("ledger", { version: 1, input: asked })
  .stage("price", { ...rules, run: (visit) => work(visit, "price") })
  .stage("post", {
    ...rules,
    run: (visit) => work(visit, "post", "price"),
    async commit(tx, items) {
      await tx.query(POST, [items.map(({ item }) => item), items.map(({ input }) => input.tag)]);
    },
  });

export const parcel = definePipeline("parcel", { version: 1, input: asked })
  .stage("order", {
    ...rules,
    async run(visit) {
      note(visit, "order", "enter");
      if (visit.because.signal !== undefined) return done({ tag: visit.input.tag, stage: "order" });
      await act(visit, "order", "start");
      return wait("callback", { signal: visit.key });
    },
  })
  .stage("collect", { ...rules, run: (visit) => work(visit, "collect", "order") });

export const leaf = definePipeline("leaf", { version: 1, input: asked }).stage("grow", {
  ...rules,
  run: (visit) => work(visit, "grow"),
});

export const family = definePipeline("family", { version: 1, input: asked })
  .stage("split", {
    ...rules,
    async run(visit) {
      note(visit, "split", "enter");
      const { tag } = visit.input;
      const { children } = visit.because;
      if (children === undefined) {
        const names = Array.from({ length: CHILDREN }, (_, index) => `${tag}/${index}`);
        return spawn(names.map((name) => child(leaf, { tag: name, fate: "well", blips: 0 })));
      }
      const good = children.filter((one) => one.state === "done").length;
      if (good !== CHILDREN) throw permanent("WRONG_CHILDREN", `${good} of ${children.length} are done`);
      return done({ tag, stage: "split" });
    },
  })
  .stage("gather", { ...rules, run: (visit) => work(visit, "gather", "split") });

export const press = definePipeline("press", { version: 1, input: asked })
  .stage("queue", { ...rules, run: (visit) => work(visit, "queue") })
  .stage("press", { ...rules, concurrency: CAP, run: (visit) => work(visit, "press", "queue") });

/** A longer visit in steps, each of them an effect and a checkpoint; and one visit more before it is done. */
export const long = definePipeline("long", { version: 1, input: asked }).stage("encode", {
  ...rules,
  async run(visit) {
    const saved = visit.checkpoint.value as { readonly step: number } | undefined;
    let step = saved?.step ?? 0;
    note(visit, "encode", "enter", step);
    if (step === STEPS) return done({ tag: visit.input.tag, stage: "encode" });
    for (; step < STEPS; step += 1) {
      await act(visit, "encode", "effect", `${visit.key}/${step}`);
      await sleep(STEP_MS, undefined, { signal: visit.signal });
      await visit.checkpoint.save({ step: step + 1 });
      note(visit, "encode", "saved", step + 1);
      visit.progress(((step + 1) / STEPS) * 100);
    }
    return again(20);
  },
});

/**
 * One failure opens the breaker: what fails before it is open waits for five minutes, which is longer than most runs.
 * Everything else about it is short, so that an outage and what follows it fit into one.
 */
export const jobs = service<ServiceClient>("jobs", {
  // Whatever a crash would fail to give back is missing for the rest of the run.
  capacity: 40,
  breaker: { failures: 1, items: 1, cooldown: "1s" },
});

/** What a job hands back: what it was asked. */
interface Echo {
  readonly echo: Asked;
}

/** Work that a job service does. A lost answer costs an attempt; the service being down costs none. */
export const convert = definePipeline("convert", { version: 1, input: asked })
  .stage("convert", {
    ...rules,
    ...supervised,
    outside: jobs,
    attempts: 12,
    timeout: "10s",
    every: "1s",
    start(visit, client) {
      note(visit, "convert", "enter");
      return supervised.start(visit, client);
    },
    // The job service answers with nothing else.
    finish: (_visit, { output }) => done({ tag: (output as Echo).echo.tag, stage: "convert" }),
  })
  .stage("file", { ...rules, run: (visit) => work(visit, "file", "convert") });

export const pipelines = [chain, ledger, parcel, leaf, family, press, long, convert];
