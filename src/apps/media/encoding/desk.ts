// Where encoders are heard: what they say is noted on the board, and they are told what to begin and what to let go of.

import { Fault, SluiceError, type Tables } from "../../../engine/index.ts";
import { type Clock, type Random, systemClock, systemRandom } from "../../../kit/index.ts";
import { type GivenJobRow, givenTo, heldBy } from "./board.sql.ts";
import { addPiece, arrivedBytes, hashBlock, outputOf, proofOf, readBlock, sizeOf, takeWhole } from "./board-files.ts";
import {
  type BoardWord,
  type EncoderWord,
  type EncodeTask,
  type JobFailure,
  type JobName,
  type JobReport,
  MARKER,
  nameOf,
} from "./conversation.ts";
import { type Caller, encoderOfKey, hearEncoder, keepTrial, noteWays } from "./encoders.sql.ts";
import { endedBefore, endJob, failJob, giveJobs, hasNews, leaveAll, putBack, tellJobs } from "./giving.sql.ts";
import { trialFor } from "./trials.ts";

export interface DeskOptions {
  readonly folder: string;
  readonly lostMs: number;
  /** How soon an encoder is to speak again. */
  readonly sayMs: number;
  /** What keeps a job from being done, and is not its own doing, is given so long to pass. */
  readonly againMs: number;
  readonly random?: Random;
  readonly clock?: Clock;
  /** Of a source, by which others can tell that they see it. */
  readonly proof?: typeof proofOf;
}

type Tx = Parameters<Parameters<Tables["transaction"]>[0]>[0];

/** Of a source, at a time. */
export const PIECE_BYTES = 8 * 1024 * 1024;
/** Of a source, hashed at a time: seconds, also on a slow disk. */
const HASHED_BYTES = 512 * 1024 * 1024;
/** Whoever waits for work is answered within a second of it, and in any case before others would call it silence. */
const NEWS_MS = 1_000;
const WAIT_MS = 20_000;

export class EncoderDesk {
  readonly #options: DeskOptions;
  readonly #random: Random;
  readonly #closing = new AbortController();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#random = options.random ?? systemRandom;
  }

  async hear(tables: Tables, caller: Caller, word: EncoderWord): Promise<BoardWord> {
    const { name } = caller;
    const { lostMs, sayMs, againMs, folder } = this.#options;
    const heard = await tables.transaction(async (tx) => {
      await checkKey(tx, caller);
      const encoder = await hearEncoder(tx, { ...word, ...caller }, lostMs);
      if (encoder === undefined)
        throw new SluiceError("CONFLICT", `another encoder speaks as ${name}; give this one another name`);
      const noted = await note(tx, name, word, againMs);
      if (word.isLast) await leaveAll(tx, name, `${name} was stopped`);
      else await giveJobs(tx, name, lostMs);
      return { ...noted, given: await givenTo(tx, name), trial: encoder.trial };
    });
    const told = new Set(word.jobs.map(nameOf));
    const unknown = heard.given.filter((job) => !told.has(nameOf(job)));
    const begin: EncodeTask[] = [];
    for (const job of unknown) {
      const task = await this.#task(tables, job, name);
      if (task !== undefined) begin.push(task);
    }
    const { taken, drop, trial } = heard;
    return { begin, taken, drop, trial: trial === null ? null : trialFor(folder, trial), againMs: sayMs };
  }

  /** Until there is something for it, or for as long as it is silent anyway. It need not ask again and again, and has its work at once. */
  async wait(tables: Tables, caller: Caller, jobs: readonly JobName[], gone?: AbortSignal): Promise<boolean> {
    const { lostMs, sayMs, clock = systemClock } = this.#options;
    const over = AbortSignal.any([this.#closing.signal, ...(gone === undefined ? [] : [gone])]);
    for (let left = Math.min(sayMs, WAIT_MS); left > 0 && !over.aborted; left -= NEWS_MS) {
      // First: who has just spoken was told all there was.
      await clock.sleep(NEWS_MS, over);
      if (!over.aborted && (await hasNews(tables, caller, jobs, lostMs))) return true;
    }
    return false;
  }

  /** Whoever waits is answered; a server that closes waits for nobody. */
  close(): void {
    this.#closing.abort();
  }

  async read(tables: Tables, caller: Caller, job: JobName, from: number, length: number): Promise<Uint8Array> {
    const { source } = await own(tables, caller, job);
    return await readBlock(source, from, Math.min(length, PIECE_BYTES));
  }

  async hash(tables: Tables, caller: Caller, job: JobName, from: number, length: number): Promise<string> {
    const { source } = await own(tables, caller, job);
    return await hashBlock(source, from, Math.min(length, HASHED_BYTES));
  }

  async arrived(tables: Tables, caller: Caller, job: JobName): Promise<number> {
    return await arrivedBytes(await own(tables, caller, job));
  }

  async send(tables: Tables, caller: Caller, job: JobName, at: number, piece: Uint8Array): Promise<number> {
    return await addPiece(await own(tables, caller, job), at, piece);
  }

  async sent(tables: Tables, caller: Caller, job: JobName, bytes: number, sha256: string): Promise<void> {
    await takeWhole(await own(tables, caller, job), bytes, sha256);
  }

  /** A source that cannot be read here can be read by nobody. */
  async #task(tables: Tables, job: GivenJobRow, encoder: string): Promise<EncodeTask | undefined> {
    const { key, turn, profile, marker, folder } = job;
    try {
      const source = await (this.#options.proof ?? proofOf)(job.source, job.source_bytes, this.#random.fraction());
      const output = { path: outputOf(job), markerPath: `${folder}/${MARKER}`, marker };
      return { key, turn, profile, source, output };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      await failJob(tables, job, encoder, sourceFailure(error));
      return undefined;
    }
  }
}

async function own(tables: Tables, caller: Caller, job: JobName): Promise<GivenJobRow> {
  const row = await heldBy(tables, job, caller);
  if (row === undefined) throw new SluiceError("CONFLICT", `${nameOf(job)} is not ${caller.name}'s, or no longer`);
  return row;
}

/** A key is the encoder's that spoke with it first: whoever has it cannot speak for others. */
async function checkKey(tx: Tx, { name, key }: Caller): Promise<void> {
  const owner = key === null ? undefined : await encoderOfKey(tx, key);
  if (owner !== undefined && owner !== name)
    throw new SluiceError(
      "KEY_OF_ANOTHER",
      `this key is encoder ${owner}'s; make one for ${name}, or forget ${owner} first`,
    );
}

async function note(tx: Tx, encoder: string, { jobs, tried }: EncoderWord, againMs: number) {
  const held = new Map((await givenTo(tx, encoder)).map((job) => [nameOf(job), job]));
  const [mine, others] = [jobs.filter((one) => held.has(nameOf(one))), jobs.filter((one) => !held.has(nameOf(one)))];
  await tellJobs(tx, encoder, mine);
  for (const report of mine) {
    const job = held.get(nameOf(report));
    if (job !== undefined) await conclude(tx, encoder, job, report, againMs);
  }
  const ways = (which: "reads" | "writes") => mine.map((one) => one[which]).findLast((way) => way !== null) ?? null;
  await noteWays(tx, encoder, ways("reads"), ways("writes"));
  if (tried !== null) await keepTrial(tx, encoder, tried);
  const before = await endedBefore(tx, encoder, others);
  const known = new Set(before.map(nameOf));
  return {
    taken: [...mine.filter(({ result, failure }) => result !== null || failure !== null), ...before].map(toName),
    drop: others.filter((one) => !known.has(nameOf(one))).map(toName),
  };
}

const toName = ({ key, turn }: JobName): JobName => ({ key, turn });

async function conclude(
  tx: Tx,
  encoder: string,
  job: GivenJobRow,
  { result, failure }: JobReport,
  againMs: number,
): Promise<void> {
  if (failure !== null) {
    if (failure.kind !== "unavailable") return await failJob(tx, job, encoder, failure);
    return await putBack(tx, job, encoder, { trouble: `${encoder}: ${failure.message}`, afterMs: againMs });
  }
  if (result === null) return;
  if (result.kind === "larger") return await endJob(tx, job, encoder, { kind: "larger", reason: result.reason });
  const path = outputOf(job);
  const here = await sizeOf(path);
  if (here !== result.bytes) return await failJob(tx, job, encoder, notHere(path, here, result.bytes));
  await endJob(tx, job, encoder, { ...result, path, sourceBytes: job.source_bytes, encoder });
}

function notHere(path: string, here: number | null, bytes: number): JobFailure {
  const message = `${path} was to have ${bytes} bytes, and ${here === null ? "is not there" : `has ${here}`}`;
  return { kind: "transient", code: "BAD_OUTPUT", message };
}

function sourceFailure({ kind, code, message }: Fault): JobFailure {
  return code === "ENOENT" || code === "ENOTDIR"
    ? { kind: "permanent", code: "FILE_NOT_FOUND", message }
    : { kind, code, message };
}
