// Replaying as a copy: a new item in a new request of the same owner. The item it is made of stays as it is.

import { createHash } from "node:crypto";
import { formatId, type ItemId, type Random, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { insertRequests } from "../intake/submit.sql.ts";
import { findKeyHolder, takeKey } from "../intake/unique-key.sql.ts";
import { readContext } from "../items/context.sql.ts";
import { outputsUpTo } from "../items/outputs.ts";
import { auditCopy, carryOutputs, copySource } from "./copy.sql.ts";
import type { ItemFacts } from "./facts.sql.ts";
import type { Change } from "./plan.ts";

export interface Copied {
  readonly item: ItemId;
  readonly request: RequestId;
}

/**
 * For the caller's transaction. A copy holds a key while it lives, so that the same replay again does not make a second one;
 * undefined when one is on its way already.
 */
export async function copyItem(
  tx: Queryable,
  facts: ItemFacts,
  { stage, target }: Extract<Change, { type: "copy" }>,
  actor: string,
  random: Random,
): Promise<Copied | undefined> {
  const from = target.stages[stage] ?? "";
  const original = formatId("item", facts.id);
  const source = await copySource(tx, facts.id, { pipeline: target.id, stage });
  if (source === undefined) return undefined;
  const key = `replay of ${original} from ${from} on ${target.version}, ${seal(source.nonce, from, target.version)}`;
  const place = { pipeline: target.name, key };
  if ((await findKeyHolder(tx, place.pipeline, key)) !== undefined) return undefined;
  const { lane, priority, owner, fairness, input, title } = source;
  const copy = { pipeline: target.id, lane, priority, owner, fairness, input, title, nonce: String(random.token()) };
  const [made] = await insertRequests(
    tx,
    [{ total: 1, key, owner, parent: null }],
    [{ ...copy, request: 1, delayMs: 0, key: null }],
  );
  if (made === undefined || !(await takeKey(tx, place, made.request_id, { name: "live", windowMs: null })))
    throw new CopyJustMade();
  const outputs = outputsUpTo(stage, await readContext(tx, [facts.id]));
  const carried = Array.from({ length: stage }, (_, one) =>
    outputs.has(one) ? JSON.stringify(outputs.get(one)) : null,
  );
  if (stage > 0) await carryOutputs(tx, made.id, carried, `carried over from ${original}`);
  const copied = { item: formatId("item", made.id), request: formatId("request", made.request_id) };
  await auditCopy(tx, actor, { id: facts.id, request: facts.request_id }, { from, onto: target.version, ...copied });
  return copied;
}

/** Keys are everybody's: whoever could guess this one would hold it first and block the copy, or join it and see what is another's. */
function seal(nonce: string, from: string, version: number): string {
  const text = JSON.stringify([nonce, from, version]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** Somebody made it in the same moment: the transaction has to be begun anew, and finds it. */
export class CopyJustMade extends Error {}
