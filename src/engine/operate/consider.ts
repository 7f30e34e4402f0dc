// Facts and plan for a batch of items, and what a pipeline's own code says about a retry. Writes nothing, holds nothing.

import { type Clock, formatId, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type RetryCheck, reservedText } from "../pipeline/pipeline.ts";
import { inTime } from "../workers/in-time.ts";
import type { Registry } from "../workers/registry.ts";
import { type ItemFacts, readFacts, readInputs, readVersions } from "./facts.sql.ts";
import { type Ordered, type Plan, plan } from "./plan.ts";
import { readBarriers } from "./run-once.sql.ts";

export interface ConsiderPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly registry: Registry;
}

export interface Considered {
  readonly facts: ItemFacts;
  readonly plan: Plan;
}

/** What a pipeline's own check may take for one item. */
const CHECK_MS = 10_000;
/** A check may ask somebody outside, who should not be asked five hundred times at once. */
const CHECKS_AT_ONCE = 20;

/** In the order of ids. Items that do not exist are missing. */
export async function consider(
  ports: ConsiderPorts,
  action: Ordered,
  items: readonly string[],
  actor: string,
): Promise<Considered[]> {
  const facts = action.type === "run-once" ? await factsAndBarriers(ports.db, items) : await readFacts(ports.db, items);
  const onto = action.type === "replay" ? action.onto : undefined;
  const names = [...new Set(facts.map((one) => one.pipeline))];
  const versions = onto === undefined ? [] : await readVersions(ports.db, names, onto);
  const targets = new Map(versions.map((one) => [one.name, one]));
  const considered = facts.map((one) => ({
    facts: one,
    plan: unlessReserved(ports.registry, plan(action, one, targets)),
  }));
  return action.type === "retry" ? await askPipelines(ports, considered, actor) : considered;
}

/** A copy is one more item, and would come in past its application. */
export function unlessReserved(registry: Registry, planned: Plan): Plan {
  if ("refusal" in planned || planned.change.type !== "copy") return planned;
  const { name, reserved } = registry.pipelineOf(planned.change.target.id) ?? {};
  return name === undefined || reserved === undefined ? planned : { refusal: reservedText(name, reserved) };
}

export async function factsAndBarriers(db: Database, items: readonly string[]): Promise<ItemFacts[]> {
  const facts = await readFacts(db, items);
  const barriers = await readBarriers(db, items);
  return facts.map((one) => ({ ...one, barrier: barriers.get(one.id) }));
}

/** A pipeline may have reasons of its own against a retry. Only its code knows, so without it nothing is retried. */
export async function askPipelines(
  ports: ConsiderPorts,
  all: readonly Considered[],
  actor: string,
): Promise<Considered[]> {
  const asking: { readonly facts: ItemFacts; readonly check: RetryCheck }[] = [];
  const answers = new Map<string, string | undefined>();
  for (const { facts, plan } of all) {
    if ("refusal" in plan || plan.change.type !== "reopen") continue;
    const pipeline = ports.registry.pipelineOf(facts.pipeline_id);
    if (pipeline === undefined) answers.set(facts.id, noCode(facts));
    else if (pipeline.retry !== undefined) asking.push({ facts, check: pipeline.retry });
  }
  if (asking.length > 0) {
    const ids = asking.map((one) => one.facts.id);
    const inputs = await readInputs(ports.db, ids);
    for (let at = 0; at < asking.length; at += CHECKS_AT_ONCE) {
      await Promise.all(
        asking.slice(at, at + CHECKS_AT_ONCE).map(async ({ facts, check }) => {
          answers.set(facts.id, await whyNot(ports.clock, check, facts, inputs.get(facts.id), actor));
        }),
      );
    }
  }
  return all.map((one) => {
    const refusal = answers.get(one.facts.id);
    return refusal === undefined ? one : { ...one, plan: { refusal } };
  });
}

export function noCode({ pipeline, pipeline_version }: ItemFacts): string {
  return `the code of ${pipeline}@${pipeline_version} is not here, and it may have a say in retries`;
}

async function whyNot(
  clock: Clock,
  check: RetryCheck,
  { id, owner }: ItemFacts,
  input: unknown,
  by: string,
): Promise<string | undefined> {
  try {
    const asked = async () => await check({ item: formatId("item", id), input: input as never, owner, by });
    const reason: unknown = await inTime(clock, "the check before a retry", CHECK_MS, asked());
    return reason === undefined ? undefined : safeText(reason, 500);
  } catch (error) {
    return `whether it may be retried could not be found out: ${safeText(error, 300)}`;
  }
}
