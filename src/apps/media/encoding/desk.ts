// Where encoders are heard: what they say is noted on the board, and they are told what to begin and what to let go of.

import { Fault, SluiceError, type Tables } from "../../../engine/index.ts";
import { type Random, systemRandom } from "../../../kit/index.ts";
import { type GivenJobRow, givenTo, heldBy } from "./board.sql.ts";
import { addPiece, arrivedBytes, MARKER, outputOf, proofOf, readBlock, sizeOf, takeWhole } from "./board-files.ts";
import {
  type BoardWord,
  type EncoderWord,
  type EncodeTask,
  type JobFailure,
  type JobName,
  type JobReport,
  nameOf,
} from "./conversation.ts";
import { type EncoderRow, hearEncoder, keepTrial, noteWays } from "./encoders.sql.ts";
import { endedBefore, endJob, failJob, giveJobs, leaveAll, putBack, tellJobs } from "./giving.sql.ts";
import { trialFor } from "./trials.ts";

export interface DeskOptions {
  readonly folder: string;
  readonly lostMs: number;
  /** How soon an encoder is to speak again. */
  readonly sayMs: number;
  /** What keeps a job from being done, and is not its own doing, is given so long to pass. */
  readonly againMs: number;
  readonly random?: Random;
  /** Of a source, by which others can tell that they see it. */
  readonly proof?: typeof proofOf;
}

type Tx = Parameters<Parameters<Tables["transaction"]>[0]>[0];

/** Of a source, at a time. */
export const PIECE_BYTES = 8 * 1024 * 1024;

export class EncoderDesk {
  readonly #options: DeskOptions;
  readonly #random: Random;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#random = options.random ?? systemRandom;
  }

  async hear(tables: Tables, name: string, place: EncoderRow["place"], word: EncoderWord): Promise<BoardWord> {
    const { lostMs, sayMs, againMs, folder } = this.#options;
    const heard = await tables.transaction(async (tx) => {
      const encoder = await hearEncoder(tx, { ...word, name, place }, lostMs);
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

  async read(tables: Tables, name: string, job: JobName, from: number, length: number): Promise<Uint8Array> {
    const { source } = await own(tables, name, job);
    return await readBlock(source, from, Math.min(length, PIECE_BYTES));
  }

  async arrived(tables: Tables, name: string, job: JobName): Promise<number> {
    return await arrivedBytes(await own(tables, name, job));
  }

  async send(tables: Tables, name: string, job: JobName, at: number, piece: Uint8Array): Promise<number> {
    return await addPiece(await own(tables, name, job), at, piece);
  }

  async sent(tables: Tables, name: string, job: JobName, bytes: number, sha256: string): Promise<void> {
    await takeWhole(await own(tables, name, job), bytes, sha256);
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

async function own(tables: Tables, encoder: string, job: JobName): Promise<GivenJobRow> {
  const row = await heldBy(tables, job, encoder);
  if (row === undefined) throw new SluiceError("CONFLICT", `${nameOf(job)} is no longer ${encoder}'s`);
  return row;
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
