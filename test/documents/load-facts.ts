// What came of a load run, as the database, the gateway and the disk tell it; and what of that is not as it has to be.

import path from "node:path";
import { openTables } from "../../src/engine/index.ts";
import type { DocumentView } from "../../src/server/contract/wire.ts";
import type { DocumentsUp } from "./up-world.ts";

/** A document that was taken: its number, and whether the gateway is to refuse it. */
export interface Taken {
  readonly number: number;
  readonly isRefused: boolean;
}

export interface Facts {
  /** When the breaker turned. */
  readonly turns: readonly { readonly at: Date; readonly reason: string }[];
  /** Counted tries at converting that went wrong. */
  readonly faults: readonly { readonly began: Date; readonly code: string }[];
  readonly completions: readonly { readonly item: string; readonly times: number }[];
}

export interface Outcome {
  readonly taken: ReadonlyMap<string, Taken>;
  readonly documents: readonly DocumentView[];
  /** What can be downloaded, by id. */
  readonly results: ReadonlyMap<string, string>;
  /** Files of results on the disk. */
  readonly files: number;
  /** What the gateway made, by number. */
  readonly made: ReadonlyMap<number, readonly string[]>;
  readonly facts: Facts;
}

const OF_DOCUMENTS = `join sluice.item i on i.id = j.item_id join sluice.pipeline p on p.id = i.pipeline_id
  where p.name = 'documents'`;
const TURNS = "select at, reason from sluice.journal where kind = 32 and output ->> 'service' = 'gateway' order by at";
const FAULTS = `select j.at - j.took_ms * interval '1 millisecond' as began, j.code from sluice.journal j ${OF_DOCUMENTS}
  and j.stage = 1 and j.attempt is not null and j.kind = 8`;
const COMPLETIONS = `select j.item_id::text as item, count(*)::int as times from sluice.journal j ${OF_DOCUMENTS}
  and j.ended = 1 group by 1`;

export async function factsOf(world: DocumentsUp): Promise<Facts> {
  const { tables, close } = await openTables({ database: path.join(world.root, "data") });
  const ask = <Row>(name: string, text: string) => tables.query<Row>({ name: `load-${name}`, text }, []);
  try {
    return {
      turns: await ask("turns", TURNS),
      faults: await ask("faults", FAULTS),
      completions: await ask("completions", COMPLETIONS),
    };
  } finally {
    await close();
  }
}

export function problemsIn(outcome: Outcome): string[] {
  return [...lostOf(outcome), ...wrongOf(outcome), ...twiceOf(outcome), ...spentOf(outcome)];
}

function lostOf({ taken, documents }: Outcome): string[] {
  const lost = taken.size - documents.length;
  return lost === 0 ? [] : [`${lost} documents are lost`];
}

/** Complete with what was made of it; or failed as it was to fail, or with all of its attempts spent. */
function wrongOf({ taken, documents, results, made }: Outcome): string[] {
  const problems: string[] = [];
  const mayFail = (one: DocumentView) => one.attemptCount === 3 && /^GW_(5XX|TIMEOUT)$/.test(one.error?.code ?? "");
  for (const one of documents) {
    const { number, isRefused } = taken.get(one.id) ?? { number: -1, isRefused: false };
    const isAsInjected = isRefused
      ? one.status === "failed" && one.error?.code === "GW_4XX"
      : one.status === "complete" || (one.status === "failed" && mayFail(one));
    if (!isAsInjected)
      problems.push(`${one.id} is ${one.status}, ${one.error?.code ?? "no code"}, attempt ${one.attemptCount}`);
    const result = results.get(one.id);
    if (one.status === "complete" && !made.get(number)?.includes(result ?? ""))
      problems.push(`${one.id} has ${result}`);
  }
  const transient = documents.filter(({ id }) => taken.get(id)?.isRefused === false);
  const whole = transient.filter(({ status }) => status === "complete").length;
  if (whole < 0.99 * transient.length)
    problems.push(`${whole} of ${transient.length} that could be converted are complete`);
  return problems;
}

function twiceOf({ documents, facts, results, files }: Outcome): string[] {
  const problems: string[] = [];
  for (const { item, times } of facts.completions) if (times > 1) problems.push(`${item} was completed ${times} times`);
  const complete = documents.filter(({ status }) => status === "complete").length;
  const counts = {
    completed: facts.completions.length,
    "to be read": new Set(results.values()).size,
    "on the disk": files,
  };
  for (const [what, count] of Object.entries(counts))
    if (count !== complete) problems.push(`${complete} are complete, and ${count} ${what}`);
  return problems;
}

function spentOf({ facts }: Outcome): string[] {
  return facts.faults
    .filter(({ began }) => isWhileOpen(facts.turns, began))
    .map(({ began, code }) => `a try begun at ${began.toISOString()} was spent on ${code} while the breaker was open`);
}

/** By then every worker knows that it is open. */
const KNOWN_MS = 2_500;

function isWhileOpen(turns: Facts["turns"], at: Date): boolean {
  const before = turns.filter((turn) => turn.at <= at).at(-1);
  return before?.reason === "opened" && at.getTime() - before.at.getTime() > KNOWN_MS;
}
