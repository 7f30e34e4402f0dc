// One job from its order to its result: look at the source, encode beside the final name, check what came of it, rename.

import {
  accessSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { argsFor, asFile, CONFINED } from "../args.ts";
import type { EncodeOutcome } from "../encoder.ts";
import { type FfmpegEnd, ffmpegFailure } from "../exits.ts";
import { type FilmFacts, filmOf } from "../facts.ts";
import { replace, syncFile, syncFolderOf } from "../files.ts";
import { FILES, type Job, type JobState } from "../job.ts";
import { outputProblem, sourceProblem } from "../judge.ts";
import { keptStreams } from "../streams.ts";
import { Failed } from "./failed.ts";
import { probe } from "./probe.ts";
import { CANNOT_RUN, runProgram } from "./program.ts";

const WATCH_MS = 1_000;
const DECODE_MS = 60_000;

export async function encode(job: Job, folder: string, signal: AbortSignal): Promise<EncodeOutcome> {
  const tell = (state: JobState) => replace(join(folder, FILES.state), state);
  tell({ phase: "probing", ffmpeg: null, durationMs: null, frameRate: null });
  const sourceBytes = bytesOfSource(job);
  const source = await probe(job, job.input, signal);
  const problem = sourceProblem(source);
  if (problem !== null) throw new Failed({ kind: "permanent", ...problem });
  const known = { durationMs: source.durationMs ?? source.lastPacketMs, frameRate: filmOf(source)?.frameRate ?? null };
  await runFfmpeg(job, folder, source, signal, (ffmpeg) => tell({ phase: "encoding", ffmpeg, ...known }));
  tell({ phase: "checking", ffmpeg: null, ...known });
  return keep(job, source, sourceBytes, signal);
}

function bytesOfSource({ input, output }: Job): number {
  const source = statSync(input, { throwIfNoEntry: false });
  if (source === undefined || !source.isFile())
    throw new Failed({ kind: "permanent", code: "FILE_NOT_FOUND", message: `there is no file ${input}` });
  accessSync(input, constants.R_OK);
  if (!statSync(dirname(output), { throwIfNoEntry: false })?.isDirectory())
    throw new Failed({ kind: "permanent", code: "NO_FOLDER", message: `there is no folder ${dirname(output)}` });
  const there = statSync(output, { throwIfNoEntry: false });
  if (there !== undefined && there.ino === source.ino && there.dev === source.dev)
    throw new Failed({ kind: "permanent", code: "SAME_FILE", message: "it would be encoded over itself" });
  return source.size;
}

async function runFfmpeg(
  job: Job,
  folder: string,
  source: FilmFacts,
  signal: AbortSignal,
  onStart: (pid: number) => void,
): Promise<void> {
  const { limits, part, ffmpeg: program, progressMs } = job;
  const confined = [...job.confined, ...job.memory];
  const progress = join(folder, FILES.progress);
  const args = argsFor(job.profile, source, job.input, part, { progress, progressMs, threads: limits.threads });
  const tooMuch = new AbortController();
  let complaints = "";
  const watch = setInterval(() => {
    if (isTooLarge(job)) tooMuch.abort("too much");
    if (complaints !== "") keepComplaints(folder, complaints);
  }, WATCH_MS);
  try {
    const end = await runProgram({
      ...{ confined, program, args, onStart, wallMs: limits.wallMs },
      signal: AbortSignal.any([signal, tooMuch.signal]),
      onComplaint: (tail) => {
        complaints = tail;
      },
    });
    signal.throwIfAborted();
    keepComplaints(folder, end.complaints);
    const failure = ffmpegFailure(await factsOf(job, end, tooMuch.signal.aborted, signal));
    if (failure !== null) throw new Failed(failure, end.complaints);
  } finally {
    clearInterval(watch);
  }
}

/** Only for people: a full disk must not end a job that would have made it. */
function keepComplaints(folder: string, complaints: string): void {
  try {
    writeFileSync(join(folder, FILES.complaints), complaints, { mode: 0o600 });
  } catch {
    // The job's own writes tell.
  }
}

async function factsOf(
  job: Job,
  { code, signal, isLate }: { readonly code: number | null; readonly signal: string | null; readonly isLate: boolean },
  isTooMuch: boolean,
  stop: AbortSignal,
): Promise<FfmpegEnd> {
  const isSourceThere = statSync(job.input, { throwIfNoEntry: false }) !== undefined;
  const isUnclear = code !== 0 && signal === null && isSourceThere && !CANNOT_RUN.has(code);
  const isDiskFull = code !== 0 && !hasRoom(job);
  return {
    ...{ code, signal, isDiskFull, isSourceThere },
    limit: isLate ? "wall" : isTooMuch || isTooLarge(job) ? "output" : null,
    canDecode: isUnclear && !isDiskFull ? await canDecode(job, stop) : null,
  };
}

function isTooLarge({ part, limits }: Job): boolean {
  return (statSync(part, { throwIfNoEntry: false })?.size ?? 0) > limits.outputBytes;
}

/** The disk itself is asked: a quota is seen by writing alone. */
function hasRoom({ part }: Job): boolean {
  const file = `${part}.room`;
  try {
    const handle = openSync(file, "w", 0o600);
    try {
      writeSync(handle, Buffer.alloc(256 * 1024, 1));
    } finally {
      closeSync(handle);
    }
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOSPC" && code !== "EDQUOT";
  } finally {
    rmSync(file, { force: true });
  }
}

/** Without the bound on memory, which may be what ended it. */
async function canDecode({ confined, ffmpeg: program, input }: Job, signal: AbortSignal): Promise<boolean> {
  const args = ["-nostdin", "-v", "error", ...CONFINED, "-i", asFile(input), "-map", "0:V:0", "-frames:v", "1"];
  const end = await runProgram({ confined, program, args: [...args, "-f", "null", "-"], wallMs: DECODE_MS, signal });
  return end.code === 0 || end.signal !== null;
}

async function keep(job: Job, source: FilmFacts, sourceBytes: number, signal: AbortSignal): Promise<EncodeOutcome> {
  const { part, output, profile } = job;
  const made = await probe(job, part, signal).catch((error: unknown) => {
    // Of the source it would be for good; what ffmpeg made may be better the next time.
    if (error instanceof Failed && error.failure.kind === "permanent") throw badOutput(job, error.failure.message);
    throw error;
  });
  const problem = outputProblem(made, source, keptStreams(profile, source));
  if (problem !== null) throw badOutput(job, problem);
  const bytes = statSync(part).size;
  const isLarger = bytes >= sourceBytes;
  if (isLarger && !profile.keepLarger) {
    const reason = `encoded as "${profile.name}" it is larger than before: ${bytes} bytes of ${sourceBytes}`;
    return { kind: "larger", bytes, sourceBytes, reason };
  }
  syncFile(part);
  signal.throwIfAborted();
  renameSync(part, output);
  syncFolderOf(output);
  const { width, height } = filmOf(made) ?? { width: 0, height: 0 };
  const durationMs = made.durationMs ?? 0;
  return {
    kind: "made",
    file: output,
    bytes,
    sourceBytes,
    durationMs,
    width: width ?? 0,
    height: height ?? 0,
    isLarger,
  };
}

/** ffmpeg leaves with 0 also where the last of the film found no room. */
function badOutput(job: Job, problem: string): Failed {
  const message = `what ffmpeg made is not whole: ${problem}`;
  if (hasRoom(job)) return new Failed({ kind: "transient", code: "BAD_OUTPUT", message });
  return new Failed({
    kind: "unavailable",
    code: "DISK_FULL",
    message: `there is no space left for the film; ${message}`,
  });
}
