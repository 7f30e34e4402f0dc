// From a stored file to a document. The same file of the same owner for the same mapping is there once: what is under way or complete is
// found, what failed is tried again with the file that is there now, and only what was cancelled, has expired or is being removed is begun
// anew.

import { type ItemId, parseId, type Sluice, SluiceError } from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import type { documentPipelines } from "../pipeline.ts";
import { type CurrentRow, findCurrent, insertDocument, retireDocument, reviveSource } from "../store/documents.sql.ts";
import type { TakenIn } from "./take-in.ts";

export interface EnterPorts {
  readonly sluice: Sluice;
  /** The version that fits the gateway. */
  readonly pipeline: ReturnType<typeof documentPipelines>["once"] | ReturnType<typeof documentPipelines>["jobs"];
}

export interface EnterBy {
  readonly owner: string;
  readonly mapping: string;
  readonly dryRun: boolean;
}

export interface Entered {
  readonly outcome: "taken" | "deduped";
  /** Null of a dry run of something new. */
  readonly item: ItemId | null;
  /** What was there already. */
  readonly from: ItemId | null;
}

const TRIES = 5;
const [LIVE, DONE, FAILED] = [0, 1, 2];

/** The same was entered at the same moment. */
class Moved extends Error {}

export async function enter(ports: EnterPorts, file: TakenIn, by: EnterBy): Promise<Entered> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const entered = await enterOnce(ports, file, by);
    if (entered !== undefined) return entered;
  }
  throw new SluiceError("CONFLICT", "the same file is being uploaded again and again; upload it in a moment");
}

async function enterOnce(ports: EnterPorts, file: TakenIn, by: EnterBy): Promise<Entered | undefined> {
  const { tables } = ports.sluice;
  const current = await findCurrent(tables, { ...by, sha256: file.sha256 });
  if (current === undefined) return await begin(ports, file, by, null);
  const { item_id, end_state, has_result, is_leaving } = current;
  if (is_leaving) return await begin(ports, file, by, item_id);
  const there = formatId("item", item_id);
  if (end_state === LIVE || (end_state === DONE && has_result)) return { outcome: "deduped", item: there, from: there };
  if (end_state !== FAILED) return await begin(ports, file, by, item_id);
  if (!by.dryRun) {
    await reviveSource(tables, item_id);
    const { ok } = await again(ports, there, current, by.owner);
    if (!ok) return undefined; // somebody else did, or removed it or its file
  }
  return { outcome: "taken", item: there, from: there };
}

/** On the version that fits the gateway, as any upload: on the one it failed on it might wait for a gateway that was replaced. */
async function again({ sluice, pipeline }: EnterPorts, item: ItemId, { version }: CurrentRow, by: string) {
  if (version === pipeline.version) return await sluice.retry(item, { by });
  return await sluice.replay(item, { from: "validate", onto: pipeline.version, by });
}

async function begin(
  ports: EnterPorts,
  file: TakenIn,
  by: EnterBy,
  instead: string | null,
): Promise<Entered | undefined> {
  const { sluice, pipeline } = ports;
  const { owner, mapping } = by;
  const input = { ...file, mapping };
  if (by.dryRun) {
    await sluice.wouldSubmit(pipeline, [input], { owner });
    return { outcome: "taken", item: null, from: null };
  }
  try {
    const { items } = await sluice.submit(pipeline, [input], {
      owner,
      async alongside(tx, stored) {
        const [item] = stored.items;
        if (item === undefined) throw new Moved();
        if (instead !== null) await retireDocument(tx, instead);
        if (!(await insertDocument(tx, { ...file, item: parseId("item", item), owner, mapping }))) throw new Moved();
      },
    });
    return { outcome: "taken", item: items[0] ?? null, from: null };
  } catch (error) {
    if (error instanceof Moved) return undefined;
    throw error;
  }
}
