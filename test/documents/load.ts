// Uploads from several clients while the gateway flaps and workers are killed; and what has to be so afterwards.

import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentView } from "../../src/server/contract/wire.ts";
import { type Going, startCli } from "../support/cli.ts";
import { type Facts, factsOf, problemsIn, type Taken } from "./load-facts.ts";
import { LoadGateway, loadPdf } from "./load-gateway.ts";
import { DocumentsUp } from "./up-world.ts";

export interface LoadOptions {
  readonly uploads: number;
  readonly clients: number;
  readonly workers: number;
  readonly killEveryMs: number;
  /** So long it flaps and workers are killed at least, however fast the uploads are. */
  readonly leastMs: number;
  /** How long the gateway stays away at the end of it, so long that people are told; 0: not at all. */
  readonly outageMs: number;
  /** How long everything may take. */
  readonly withinMs: number;
}

export interface LoadReport {
  readonly taken: number;
  readonly complete: number;
  readonly failed: number;
  readonly kills: number;
  /** Times the breaker opened. */
  readonly opened: number;
  /** Times the gateway broke, and hung. */
  readonly broken: number;
  readonly hung: number;
  /** Counted tries that went wrong. */
  readonly faults: number;
  /** That the gateway is down; and how many of them are resolved. */
  readonly alerts: number;
  readonly resolved: number;
  readonly seconds: number;
  /** What is not as it has to be. */
  readonly problems: readonly string[];
}

const FLAPPING = { upMs: 4_000, downMs: 2_500 };
/** Longer than it is ever down while it flaps. */
const ALERT_AFTER_SECONDS = 30;

// As it comes, but for what would make a run of minutes one of hours.
const ENVIRONMENT = {
  ...{ RETRY_MAX_ATTEMPTS: "3", RETRY_BASE_DELAY_MS: "5000", RETRY_JITTER_MAX_MS: "5000" },
  ...{ GATEWAY_TIMEOUT_MS: "10000", CIRCUIT_COOLDOWN_MS: "1000", WORKER_LEASE_TTL_SEC: "5" },
};

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const began = performance.now();
  const gateway = new LoadGateway();
  await gateway.up();
  const world = new DocumentsUp({ ...ENVIRONMENT, GATEWAY_URL: gateway.url }, "server");
  await world.up();
  const over = new AbortController();
  const workers = new Workers(world, options.workers);
  try {
    await world.json("PUT", "/alert-rules/service-down", { values: { forSeconds: ALERT_AFTER_SECONDS } });
    await workers.start();
    const flapping = gateway.flap(over.signal, FLAPPING);
    const killing = workers.killEvery(options.killEveryMs, over.signal);
    const [taken] = await Promise.all([uploadAll(world, options), sleep(options.leastMs)]);
    over.abort();
    await Promise.all([flapping, killing]);
    if (options.outageMs > 0) await outage(world, gateway, taken, options.outageMs);
    return await reportOf(world, gateway, taken, workers.kills, { ...options, began });
  } finally {
    over.abort();
    await workers.stop();
    await world.close();
    await gateway.down();
  }
}

async function reportOf(
  world: DocumentsUp,
  gateway: LoadGateway,
  taken: ReadonlyMap<string, Taken>,
  kills: number,
  { withinMs, outageMs, clients, began }: LoadOptions & { readonly began: number },
): Promise<LoadReport> {
  const documents = await allEnded(world, taken, withinMs, clients);
  const [facts, results] = [await factsOf(world), await resultsOf(world, documents, clients)];
  const files = (await world.files("results")).filter((name) => name.endsWith(".xml")).length;
  const alerts = await alertsOf(world);
  const outcome = { taken, documents, results, files, made: gateway.made, facts };
  const count = (status: DocumentView["status"]) => documents.filter((one) => one.status === status).length;
  return {
    ...{ taken: taken.size, complete: count("complete"), failed: count("failed"), kills, opened: openedOf(facts) },
    ...{ broken: gateway.broken, hung: gateway.hung, faults: facts.faults.length },
    ...{ alerts: alerts.length, resolved: alerts.filter(isResolved).length },
    seconds: Math.round((performance.now() - began) / 1_000),
    problems: [...problemsIn(outcome), ...alertProblems(alerts, outageMs)],
  };
}

const openedOf = ({ turns }: Facts) => turns.filter(({ reason }) => reason === "opened").length;

class Workers {
  kills = 0;
  readonly #world: DocumentsUp;
  readonly #count: number;
  readonly #going = new Set<Going>();
  /** Those that work, the longest first. */
  #working: Going[] = [];
  #started = 0;

  constructor(world: DocumentsUp, count: number) {
    this.#world = world;
    this.#count = count;
  }

  async start(): Promise<void> {
    for (let each = 0; each < this.#count; each += 1) await this.#begin();
  }

  async #begin(): Promise<void> {
    this.#started += 1;
    const args = ["worker", "--name", `worker-${this.#started}`];
    const going = startCli(args, this.#world.environment, this.#world.root);
    this.#going.add(going);
    await going.says(/working on/);
    this.#working.push(going);
  }

  /** Another one is started at once, and is not waited for. */
  async killEvery(ms: number, signal: AbortSignal): Promise<void> {
    const starting: Promise<void>[] = [];
    while (!signal.aborted) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      const [oldest, ...others] = this.#working;
      if (signal.aborted || oldest === undefined) continue;
      this.#working = others;
      await oldest.end("SIGKILL");
      this.#going.delete(oldest);
      this.kills += 1;
      starting.push(this.#begin());
    }
    await Promise.all(starting);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#going].map((one) => one.end("SIGTERM")));
  }
}

/** So many at a time; in no order. */
async function each<T>(all: Iterable<T>, atATime: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const hand = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, hand));
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

async function upload(world: DocumentsUp, number: number, isRefused: boolean, taken: Map<string, Taken>) {
  const [document] = await world.upload({ name: `${number}.pdf`, content: loadPdf(number, isRefused) });
  if (document === undefined) throw new Error(`document ${number} was not taken`);
  taken.set(document.id, { number, isRefused });
}

/** By id. */
async function uploadAll(world: DocumentsUp, { uploads, clients }: LoadOptions): Promise<Map<string, Taken>> {
  const taken = new Map<string, Taken>();
  await each(numbers(uploads), clients, (number) => upload(world, number, number % 10 === 0, taken));
  return taken;
}

const LATE = 20;

/** Away for long, with documents that wait for it: nothing but probes reach it, and no try is spent. */
async function outage(world: DocumentsUp, gateway: LoadGateway, taken: Map<string, Taken>, ms: number): Promise<void> {
  await gateway.down();
  for (const late of numbers(LATE)) await upload(world, 1_000_000 + late, false, taken);
  await sleep(ms);
  await gateway.up();
}

type Alert = { readonly rule: string; readonly resolvedAt: string | null };

const isResolved = ({ resolvedAt }: Alert) => resolvedAt !== null;

/** Of the gateway; waits until what was told is resolved, which takes a round. */
async function alertsOf(world: DocumentsUp): Promise<Alert[]> {
  const late = AbortSignal.timeout(120_000);
  for (;;) {
    // Those that are over, too: that it is back is what ends them.
    const { entries } = await world.json<{ entries: Alert[] }>("GET", "/alerts?state=all&limit=200");
    const own = entries.filter(({ rule }) => rule === "service-down");
    if (late.aborted || own.every(isResolved)) return own;
    await sleep(500);
  }
}

function alertProblems(alerts: readonly Alert[], outageMs: number): string[] {
  const due = outageMs > 0 ? 1 : 0;
  const told =
    alerts.length === due ? [] : [`that the gateway is down was told ${alerts.length} times instead of ${due}`];
  return alerts.every(isResolved) ? told : [...told, "that it is back was never told"];
}

async function allEnded(
  world: DocumentsUp,
  taken: ReadonlyMap<string, Taken>,
  ms: number,
  atATime: number,
): Promise<DocumentView[]> {
  const late = AbortSignal.timeout(ms);
  while (!late.aborted) {
    const { entries } = await world.json<{ entries: DocumentView[] }>("GET", "/documents?show=open&limit=1");
    if (entries.length === 0) break;
    await sleep(300);
  }
  const documents: DocumentView[] = [];
  await each(taken.keys(), atATime, async (id) => void documents.push(await world.read(id)));
  return documents;
}

async function resultsOf(world: DocumentsUp, documents: readonly DocumentView[], atATime: number) {
  const results = new Map<string, string>();
  const complete = documents.filter(({ status }) => status === "complete");
  await each(complete, atATime, async ({ id }) => {
    results.set(id, await (await world.ask("GET", `/documents/${id}/download`)).text());
  });
  return results;
}
