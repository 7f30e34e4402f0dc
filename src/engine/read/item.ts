// One item, read for people and programs. Never for decisions: it is true at the moment it was read.

import { parseId, redactJson, redactText, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { Explanation } from "../explain/explanation.ts";
import type { StageFacts, StageLookup } from "../explain/state.ts";
import { explainItem } from "./explain-item.ts";
import { findGateRows } from "./gates.sql.ts";
import { type GateVerdict, gateVerdicts } from "./gates.ts";
import { findItem, findOutputs, findOutside, type ItemRow, type OutputRow, type OutsideRow } from "./item.sql.ts";
import { type ItemLine, toLine } from "./item-line.ts";
import { findItemParts, type ItemPartRow } from "./parts.sql.ts";
import { type PartView, toPartView } from "./parts.ts";

export interface ItemView extends ItemLine {
  /** Why it stands where it stands, also while it is worked on and when it has ended. */
  readonly wait: Explanation;
  readonly series: number;
  /** Of its stage, in percent. */
  readonly stageProgress: number | null;
  /** When its code or message was written down. */
  readonly codeAt: Date | null;
  /** When its work first began. */
  readonly startedAt: Date | null;
  readonly checkpoint: CheckpointView | null;
  /** What exists for it outside, or may: oldest first. */
  readonly outside: readonly OutsideView[];
  readonly input: unknown;
  /** By stage. */
  readonly outputs: { readonly [stage: string]: unknown };
  /** Of each stage that works in parts, those it made last. */
  readonly parts: readonly PartView[];
  /** Of all its stages, in order; none without the pipeline's code. */
  readonly gates: readonly GateVerdict[];
}

export interface CheckpointView {
  readonly stage: string;
  readonly at: Date;
  readonly bytes: number;
  /** Without what looks like a secret. Null for one that is too large to be looked at. */
  readonly value: unknown;
}

export interface OutsideView {
  readonly service: string;
  readonly stage: string;
  /** Its name there, once that is known. */
  readonly ref: string | null;
  readonly since: Date;
  /** Nobody waits for it any more; it has to be removed there. */
  readonly isLeftBehind: boolean;
}

/** Larger ones are for machines. */
const CHECKPOINT_SHOWN_BYTES = 16 * 1024;

/** Another's is not there, where an owner is named. */
export async function readItem(db: Queryable, stagesOf: StageLookup, item: string, owner?: string): Promise<ItemView> {
  const id = parseId("item", item, "item");
  const row = await findItem(db, id, owner);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  const [outputs, parts, outside] = [await findOutputs(db, id), await findItemParts(db, id), await findOutside(db, id)];
  const hasGates = stages?.some(({ enter = [], leave = [] }) => enter.length + leave.length > 0) === true;
  const gates = hasGates ? gateVerdicts(stages, await findGateRows(db, id)) : [];
  return { ...toView(row, { outputs, parts, outside }, stages, await explainItem(db, stagesOf, item)), gates };
}

function toView(
  row: ItemRow,
  {
    outputs,
    parts,
    outside,
  }: {
    readonly outputs: readonly OutputRow[];
    readonly parts: readonly ItemPartRow[];
    readonly outside: readonly OutsideRow[];
  },
  stages: readonly StageFacts[] | undefined,
  why: Explanation,
): Omit<ItemView, "gates"> {
  return {
    ...toLine(row, stages, why),
    wait: why,
    series: row.series ?? row.last_series ?? 1,
    stageProgress: row.progress,
    codeAt: row.last_at,
    startedAt: row.started_at,
    checkpoint: toCheckpoint(row),
    outside: outside.map(({ service, stage, ref, since, is_owed }) => ({
      service,
      stage: stage ?? "",
      ref: ref === null ? null : redactText(ref),
      since,
      isLeftBehind: is_owed,
    })),
    input: row.input,
    outputs: Object.fromEntries(
      outputs.flatMap(({ stage, output }) => {
        const name = stage === null ? undefined : row.stages[stage];
        return name === undefined ? [] : [[name, output]];
      }),
    ),
    parts: parts.map((part) => toPartView(part, row.stages)),
  };
}

function toCheckpoint({ checkpoint, checkpoint_at, checkpoint_stage, stages }: ItemRow): CheckpointView | null {
  if (checkpoint === null || checkpoint_at === null || checkpoint_stage === null) return null;
  const bytes = Buffer.byteLength(checkpoint);
  return {
    stage: stages[checkpoint_stage] ?? "",
    at: checkpoint_at,
    bytes,
    value: bytes > CHECKPOINT_SHOWN_BYTES ? null : redactJson(checkpoint),
  };
}
