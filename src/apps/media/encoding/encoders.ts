// Encoders and what they do, as people see and handle them.

import { type ItemId, parseId, type Queryable, SluiceError } from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import { notThere } from "../settings/check.ts";
import type { JobPhase, JobProgress, Way } from "./conversation.ts";
import { dropEncoder, type EncoderRow, findEncoder, listEncoders, switchEncoder } from "./encoders.sql.ts";
import { listGiven, listOfItem, type SeenJobRow } from "./jobs-seen.sql.ts";

export interface EncoderSeen {
  readonly name: string;
  readonly place: "local" | "remote";
  readonly state: "online" | "offline" | "stopped";
  readonly isOn: boolean;
  readonly heardAt: Date;
  readonly addedAt: Date;
  readonly version: string;
  /** "ffmpeg 5.1.6" */
  readonly program: string;
  readonly codecs: readonly string[];
  readonly audioCodecs: readonly string[];
  readonly hasNoNetwork: boolean;
  readonly slots: number;
  readonly reads: Way | null;
  readonly writes: Way | null;
  readonly jobs: readonly JobSeen[];
}

export interface JobSeen {
  readonly item: ItemId;
  readonly title: string | null;
  readonly encoding: string;
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly encoder: string | null;
  readonly phase: JobPhase | null;
  readonly progress: number | null;
  readonly frames: number | null;
  readonly fps: number | null;
  readonly speed: number | null;
  readonly etaMs: number | null;
  readonly outBytes: number | null;
  readonly sourceBytes: number;
  readonly turn: number;
  readonly since: Date;
  readonly endedAt: Date | null;
  readonly result: "made" | "same" | "larger" | null;
  readonly reason: string | null;
}

export class Encoders {
  readonly #lostMs: number;

  constructor({ lostMs }: { readonly lostMs: number }) {
    this.#lostMs = lostMs;
  }

  async list(db: Queryable): Promise<EncoderSeen[]> {
    const jobs = Map.groupBy(await listGiven(db), ({ encoder }) => encoder);
    return (await listEncoders(db, this.#lostMs)).map((row) => encoderSeen(row, jobs.get(row.name) ?? []));
  }

  /** Those that somebody should look after. */
  async gone(db: Queryable): Promise<{ readonly name: string; readonly at: Date }[]> {
    const rows = await listEncoders(db, this.#lostMs);
    return rows
      .filter((row) => row.is_on && !row.is_online && row.left_at === null)
      .map(({ name, heard_at: at }) => ({ name, at }));
  }

  async get(db: Queryable, name: string): Promise<EncoderRow> {
    const row = await findEncoder(db, name, this.#lostMs);
    if (row === undefined) throw notThere("encoder", name);
    return row;
  }

  async switch(tx: Queryable, name: string, isOn: boolean): Promise<EncoderSeen> {
    if (!(await switchEncoder(tx, name, isOn))) throw notThere("encoder", name);
    const found = (await this.list(tx)).find((one) => one.name === name);
    if (found === undefined) throw notThere("encoder", name);
    return found;
  }

  async drop(tx: Queryable, name: string): Promise<void> {
    if ((await this.get(tx, name)).is_online)
      throw new SluiceError("REFUSED", `${name} is online, and would come back with its next word; stop it first`);
    await dropEncoder(tx, name);
  }

  async ofItem(db: Queryable, item: ItemId): Promise<JobSeen[]> {
    return (await listOfItem(db, parseId("item", item))).map(jobSeen);
  }
}

function encoderSeen(row: EncoderRow, jobs: readonly SeenJobRow[]): EncoderSeen {
  const { name, place, version, slots, reads, writes, about } = row;
  const { program, version: of, codecs, audioCodecs, hasNoNetwork } = about;
  return {
    ...{ name, place, version, slots, reads, writes, codecs, audioCodecs, hasNoNetwork },
    ...{ isOn: row.is_on, heardAt: row.heard_at, addedAt: row.added_at },
    state: row.is_online ? "online" : row.left_at === null ? "offline" : "stopped",
    program: `${program.split("/").at(-1)} ${of}`,
    jobs: jobs.map(jobSeen),
  };
}

const NOTHING: Omit<JobProgress, "phase" | "marks"> & { readonly phase: JobPhase | null } = {
  ...{ phase: null, percent: null, frames: null, fps: null, speed: null, etaMs: null, outBytes: null },
};
const STATES = { waiting: "waiting", given: "running", done: "done", failed: "failed" } as const;

export function jobSeen(row: SeenJobRow): JobSeen {
  const { title, encoding, encoder, turn, outcome, fault } = row;
  const { phase, percent, frames, fps, speed, etaMs, outBytes } = row.report?.progress ?? NOTHING;
  const isDone = row.state === "done";
  return {
    ...{ item: formatId("item", row.item_id), title, encoding, state: STATES[row.state], encoder, turn },
    ...{
      phase: isDone ? null : phase,
      progress: isDone ? 100 : percent,
      frames,
      fps,
      speed,
      etaMs: isDone ? null : etaMs,
    },
    outBytes: outcome?.kind === "made" ? outcome.bytes : outBytes,
    sourceBytes: row.source_bytes,
    since: row.given_at ?? row.put_at,
    endedAt: row.ended_at,
    result: outcome?.kind ?? null,
    reason: reasonOf(outcome) ?? fault?.message ?? row.trouble,
  };
}

const reasonOf = (outcome: SeenJobRow["outcome"]): string | null =>
  outcome === null || outcome.kind === "made" ? null : outcome.reason;
