// Documents as people look at them.

import {
  type Explanation,
  InputError,
  type ItemId,
  parseId,
  type RequestId,
  type Sluice,
  SluiceError,
} from "../../../engine/index.ts";
import { describeDuration, formatId } from "../../../kit/index.ts";
import { codeSentence, type ToldWords, toldWords } from "../codes.ts";
import type { DocumentLimits } from "../limits.ts";
import { refusalOf } from "../pipeline.ts";
import { type DocumentRow, type DocumentStatus, findPage, findSome } from "./documents.sql.ts";

export interface SeenDocument {
  readonly id: ItemId;
  readonly request: RequestId;
  readonly name: string;
  readonly owner: string;
  readonly mapping: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages: number | null;
  readonly status: DocumentStatus;
  readonly sentence: string;
  readonly progress: number;
  readonly attemptCount: number;
  readonly attemptsMost: number;
  readonly lastAttemptAt: Date | null;
  readonly retryAfter: Date | null;
  readonly createdAt: Date;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: ToldWords | null;
  readonly result: { readonly bytes: number; readonly sha256: string; readonly expiresAt: Date | null } | null;
  readonly expiredAt: Date | null;
  readonly source: { readonly isThere: boolean; readonly goneAt: Date | null };
  readonly canRetry: boolean;
  readonly retryRefusal: string | null;
}

/** To whom it is told: to an owner that is named, another's is not there. */
export interface Onlooker {
  readonly owner: string | null;
}

export interface ViewPorts {
  readonly sluice: Sluice;
  readonly limits: DocumentLimits;
}

export interface DocumentsWanted {
  readonly after?: string | undefined;
  readonly limit: number;
  readonly statuses: readonly DocumentStatus[] | null;
  readonly name?: string | undefined;
  /** Only this one's. */
  readonly of: string | null;
}

const NEWEST = String(2n ** 63n - 1n);

export async function listDocuments(ports: ViewPorts, wanted: DocumentsWanted, onlooker: Onlooker) {
  const { after, limit, statuses, name = null } = wanted;
  const before = after === undefined ? NEWEST : placeOf(after);
  const owner = onlooker.owner ?? wanted.of;
  const { rows, stoppedAt } = await findPage(ports.sluice.tables, { before, limit, statuses, name, owner });
  const next = stoppedAt === null ? null : formatId("item", stoppedAt);
  return { entries: await seen(ports, rows, onlooker), next };
}

function placeOf(after: string): string {
  try {
    return parseId("item", after, "after");
  } catch (error) {
    throw new InputError("after", "after is the `next` of the page before", { cause: error });
  }
}

/** In the order they are asked for; those that are not there, or another's, are left out. */
export async function someDocuments(ports: ViewPorts, items: readonly ItemId[], onlooker: Onlooker) {
  const ids = items.map((item) => parseId("item", item, "item"));
  const rows = await findSome(ports.sluice.tables, ids, onlooker.owner);
  const byId = new Map((await seen(ports, rows, onlooker)).map((one) => [one.id, one]));
  return items.flatMap((item) => byId.get(item) ?? []);
}

export async function oneDocument(ports: ViewPorts, item: ItemId, onlooker: Onlooker): Promise<SeenDocument> {
  const [one] = await someDocuments(ports, [item], onlooker);
  if (one === undefined) throw new SluiceError("NOT_FOUND", `there is no document ${item}`, { field: "item" });
  return one;
}

async function seen(ports: ViewPorts, rows: readonly DocumentRow[], onlooker: Onlooker): Promise<SeenDocument[]> {
  const live = rows.filter(({ status }) => status === "queued" || status === "processing");
  const why = await ports.sluice.explainEach(live.map(({ id }) => formatId("item", id)));
  return rows.map((row) => toSeen(row, ports, sentenceOf(why.get(formatId("item", row.id)), onlooker)));
}

function sentenceOf(why: Explanation | undefined, { owner }: Onlooker): string | undefined {
  return owner === null ? why?.sentence : why?.discreetSentence;
}

function toSeen(row: DocumentRow, { sluice, limits }: ViewPorts, waits: string | undefined): SeenDocument {
  const { status, result, result_bytes, completed_at, source_gone_at } = row;
  const error = errorOf(row);
  const isLive = status === "queued" || status === "processing";
  const refusal = status === "failed" ? refusalOf(row) : "only what failed can be retried";
  const expiresAt = completed_at === null ? null : new Date(completed_at.getTime() + limits.keepResultsMs);
  return {
    ...{ id: formatId("item", row.id), request: formatId("request", row.request_id), status },
    ...{
      name: row.name,
      owner: row.owner,
      mapping: row.mapping,
      bytes: row.bytes,
      sha256: row.sha256,
      pages: row.pages,
    },
    sentence: (isLive ? waits : undefined) ?? endSentence(row, error, limits),
    progress: progressOf(row, sluice),
    attemptCount: row.attempts,
    attemptsMost: limits.attempts,
    lastAttemptAt: row.attempted_at,
    retryAfter: isLive ? row.due_at : null,
    ...{ createdAt: row.created_at, queuedAt: row.queued_at, startedAt: row.started_at, finishedAt: row.finished_at },
    error,
    result: result === null ? null : { bytes: result_bytes ?? 0, sha256: result, expiresAt },
    expiredAt: row.expired_at,
    source: { isThere: source_gone_at === null, goneAt: source_gone_at },
    canRetry: refusal === undefined,
    retryRefusal: refusal ?? null,
  };
}

function errorOf({ status, code, message }: DocumentRow): ToldWords | null {
  if (code === null || status === "complete" || status === "expired" || status === "cancelled") return null;
  return toldWords(code, message);
}

function endSentence(row: DocumentRow, error: ToldWords | null, { keepResultsMs }: DocumentLimits): string {
  switch (row.status) {
    case "complete":
      return "It is converted.";
    case "expired":
      return `Its XML was removed on ${(row.expired_at ?? row.created_at).toISOString().slice(0, 10)}, ${describeDuration(keepResultsMs)} after it was converted. Upload the document again.`;
    case "failed":
      return error?.sentence ?? codeSentence("UNKNOWN");
    case "cancelled":
      return "It was cancelled.";
    case "queued":
    case "processing":
      return "It is being looked at.";
  }
}

function progressOf({ status, stage, progress, version }: DocumentRow, sluice: Sluice): number {
  if (status === "complete" || status === "expired") return 100;
  const stages = sluice.stagesOf({ name: "documents", version }) ?? [];
  const total = stages.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || stage === null) return 0;
  const passed = stages.slice(0, stage).reduce((sum, { weight }) => sum + weight, 0);
  return ((passed + ((stages[stage]?.weight ?? 0) * (progress ?? 0)) / 100) / total) * 100;
}
