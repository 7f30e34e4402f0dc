// Uploads from several clients while the gateway flaps and workers are killed; and what has to be so afterwards.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openTables } from "../../src/engine/index.ts";
import type { DocumentView } from "../../src/server/contract/wire.ts";
import { type Going, startCli } from "../support/cli.ts";
import { LoadGateway, REFUSED } from "./load-gateway.ts";
import { DocumentsUp } from "./up-world.ts";

export interface LoadOptions {
  readonly uploads: number;
  readonly clients: number;
  readonly workers: number;
  readonly killEveryMs: number;
  /** How long the gateway stays away at the end of it, so long that people are told; 0: not at all. */
  readonly outageMs: number;
  /** How long everything may take. */
  readonly withinMs: number;
}

export interface LoadReport {
  readonly taken: number;
  readonly complete: number;
  readonly refused: number;
  readonly kills: number;
  readonly opened: number;
  readonly seconds: number;
  /** That the gateway is down, and that it is back. */
  readonly alerts: number;
  /** What is not as it has to be. */
  readonly problems: readonly string[];
}

/** So long it flaps and is killed at least, however fast the uploads are. */
const LEAST_MS = 30_000;

const ENVIRONMENT = {
  GATEWAY_TIMEOUT_MS: "5000",
  CIRCUIT_COOLDOWN_MS: "1000",
  WORKER_LEASE_TTL_SEC: "5",
  RETRY_MAX_ATTEMPTS: "6",
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
    await workers.start();
    const flapping = gateway.flap(over.signal, { upMs: 4_000, downMs: 2_500 });
    const killing = workers.killEvery(options.killEveryMs, over.signal);
    const [taken] = await Promise.all([uploadAll(world, options), sleep(LEAST_MS)]);
    over.abort();
    await Promise.all([flapping, killing]);
    if (options.outageMs > 0) await outage(world, gateway, taken, options.outageMs);
    const documents = await allEnded(world, taken, options.withinMs);
    const facts = await factsOf(world);
    const alerts = await alertsOf(world, options.withinMs);
    const problems = [...problemsIn(taken, documents, facts), ...alertProblems(alerts, options.outageMs)];
    const count = (status: DocumentView["status"]) => documents.filter((one) => one.status === status).length;
    return {
      ...{ taken: taken.size, complete: count("complete"), refused: count("failed"), kills: workers.kills },
      ...{ opened: facts.turns.filter(({ reason }) => reason === "opened").length, problems },
      alerts: alerts.length,
      seconds: Math.round((performance.now() - began) / 1_000),
    };
  } finally {
    over.abort();
    await workers.stop();
    await world.close();
    await gateway.down();
  }
}

class Workers {
  kills = 0;
  readonly #world: DocumentsUp;
  readonly #count: number;
  readonly #going: Going[] = [];

  constructor(world: DocumentsUp, count: number) {
    this.#world = world;
    this.#count = count;
  }

  async start(): Promise<void> {
    for (let each = 0; each < this.#count; each += 1) this.#going.push(await this.#begin(each));
  }

  async #begin(place: number): Promise<Going> {
    const going = startCli(["worker", "--name", `worker-${place}`], this.#world.environment, this.#world.root);
    await going.says(/working on/);
    return going;
  }

  async killEvery(ms: number, signal: AbortSignal): Promise<void> {
    for (let next = 0; !signal.aborted; next += 1) {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const place = next % this.#count;
      await this.#going[place]?.end("SIGKILL");
      this.kills += 1;
      this.#going[place] = await this.#begin(place);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#going.map((one) => one.end("SIGTERM")));
  }
}

/** By id: whether it is to be refused. */
async function uploadAll(world: DocumentsUp, { uploads, clients }: LoadOptions): Promise<Map<string, boolean>> {
  const taken = new Map<string, boolean>();
  let next = 0;
  const client = async () => {
    while (next < uploads) {
      const number = next;
      next += 1;
      const isRefused = number % 10 === 0;
      const content = Buffer.from(`%PDF-1.4\n% document ${number}\n${isRefused ? REFUSED : ""}\n%%EOF\n`);
      const [document] = await world.upload({ name: `${number}.pdf`, content });
      if (document === undefined) throw new Error(`document ${number} was not taken`);
      taken.set(document.id, isRefused);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return taken;
}

/** Away for long, with documents that wait for it: nothing but probes reach it, and no try is spent. */
async function outage(
  world: DocumentsUp,
  gateway: LoadGateway,
  taken: Map<string, boolean>,
  ms: number,
): Promise<void> {
  await gateway.down();
  for (let each = 0; each < 20; each += 1) {
    const [document] = await world.upload({ name: "late.pdf", content: Buffer.from(`%PDF-1.4\n% late ${each}\n`) });
    if (document !== undefined) taken.set(document.id, false);
  }
  await sleep(ms);
  await gateway.up();
}

type Alert = { readonly rule: string; readonly resolvedAt: string | null };

/** Of the gateway; waits until what was told is resolved, which takes a round. */
async function alertsOf(world: DocumentsUp, ms: number): Promise<Alert[]> {
  const late = AbortSignal.timeout(Math.min(ms, 120_000));
  for (;;) {
    const { entries } = await world.json<{ entries: Alert[] }>("GET", "/alerts?state=all&limit=200");
    const own = entries.filter(({ rule }) => rule === "service-down");
    if (late.aborted || own.every(({ resolvedAt }) => resolvedAt !== null)) return own;
    await sleep(500);
  }
}

function alertProblems(alerts: readonly Alert[], outageMs: number): string[] {
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === null).length;
  const due = outageMs > 0 ? 1 : 0;
  return [
    ...(alerts.length === due ? [] : [`the gateway was told to be down ${alerts.length} times instead of ${due}`]),
    ...(open === 0 ? [] : ["that it is back was never told"]),
  ];
}

async function allEnded(world: DocumentsUp, taken: ReadonlyMap<string, boolean>, ms: number): Promise<DocumentView[]> {
  const late = AbortSignal.timeout(ms);
  while (!late.aborted) {
    const { entries } = await world.json<{ entries: DocumentView[] }>("GET", "/documents?show=open&limit=1");
    if (entries.length === 0) break;
    await sleep(300);
  }
  const documents = [];
  for (const id of taken.keys()) documents.push(await world.read(id));
  return documents;
}

interface Facts {
  /** When the breaker turned. */
  readonly turns: readonly { readonly at: Date; readonly reason: string }[];
  /** Counted tries at converting. */
  readonly tries: readonly { readonly began: Date; readonly ended: Date; readonly kind: number }[];
  readonly completions: readonly { readonly item: string; readonly times: number }[];
}

async function factsOf(world: DocumentsUp): Promise<Facts> {
  const { tables, close } = await openTables({ database: path.join(world.root, "data") });
  try {
    const turns =
      "select at, reason from sluice.journal where kind = 32 and output ->> 'service' = 'gateway' order by at";
    const tries = `select at - took_ms * interval '1 millisecond' as began, at as ended, kind from sluice.journal j
      join sluice.item i on i.id = j.item_id join sluice.pipeline p on p.id = i.pipeline_id
      where p.name = 'documents' and j.stage = 1 and j.attempt is not null`;
    const completions = `select item_id::text as item, count(*)::int as times from sluice.journal j
      join sluice.item i on i.id = j.item_id join sluice.pipeline p on p.id = i.pipeline_id
      where p.name = 'documents' and j.ended = 1 group by 1`;
    const ask = <Row>(name: string, text: string) => tables.query<Row>({ name: `load-${name}`, text }, []);
    return {
      turns: await ask("turns", turns),
      tries: await ask("tries", tries),
      completions: await ask("ends", completions),
    };
  } finally {
    await close();
  }
}

function problemsIn(taken: ReadonlyMap<string, boolean>, documents: readonly DocumentView[], facts: Facts): string[] {
  const problems: string[] = [];
  if (documents.length !== taken.size) problems.push(`${taken.size - documents.length} documents are lost`);
  const transient = documents.filter(({ id }) => taken.get(id) === false);
  const wrong = documents.filter(({ id, status, error }) =>
    taken.get(id) === true
      ? !(status === "failed" && error?.code === "GW_4XX")
      : status !== "complete" && status !== "failed",
  );
  for (const { id, status, error, sentence } of wrong)
    problems.push(`${id} is ${status}, ${error?.code ?? "no code"}: ${sentence}`);
  const whole = transient.filter(({ status }) => status === "complete").length;
  if (whole < 0.99 * transient.length) problems.push(`${whole} of ${transient.length} transient ones are complete`);
  for (const { item, times } of facts.completions) if (times > 1) problems.push(`${item} was completed ${times} times`);
  for (const { id, status, result } of documents)
    if ((status === "complete") !== (result !== null))
      problems.push(`${id} is ${status} and has ${result === null ? "no" : "a"} result`);
  const completed = documents.filter(({ status }) => status === "complete").length;
  if (facts.completions.length !== completed)
    problems.push(`${completed} are complete, ${facts.completions.length} were completed`);
  for (const { began, kind } of facts.tries)
    if (kind === 8 && isWhileOpen(facts.turns, began))
      problems.push(`an attempt begun at ${began.toISOString()} was spent while the breaker was open`);
  return problems;
}

/** Begun a beat after it opened, which every worker knows by then, and before it closed. */
const KNOWN_MS = 2_500;

function isWhileOpen(turns: Facts["turns"], at: Date): boolean {
  const before = turns.filter((turn) => turn.at <= at).at(-1);
  return before?.reason === "opened" && at.getTime() - before.at.getTime() > KNOWN_MS;
}
