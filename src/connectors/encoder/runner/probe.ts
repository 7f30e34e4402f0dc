// What a film is, as ffprobe tells it. The head, and where its last packet really is.

import { asFile, CONFINED } from "../args.ts";
import type { FilmFacts, FilmStream } from "../facts.ts";
import type { Job } from "../job.ts";
import { Failed } from "./failed.ts";
import { CANNOT_RUN, runProgram } from "./program.ts";

const HEAD_MS = 60_000;
const PACKETS_MS = 300_000;
const HEAD_CHARACTERS = 2_000_000;
/** Reading goes on from here before the end it claims. */
const BEFORE_END_S = 60;

/** The packets' times count from the first, as ffmpeg writes them. */
export async function probe(job: Job, file: string, signal: AbortSignal): Promise<FilmFacts> {
  let text = "";
  await ffprobe(job, ["-show_format", "-show_streams", "-of", "json", asFile(file)], HEAD_MS, signal, (line) => {
    if (text.length < HEAD_CHARACTERS) text += line;
  });
  const { format, streams } = readHead(text);
  const durationS = seconds(format.duration);
  const startS = seconds(format.start_time) ?? 0;
  const from = durationS === null ? null : Math.max(0, startS + durationS - BEFORE_END_S);
  const last = await lastPacketS(job, file, from, signal);
  return {
    format: textOf(format.format_name),
    durationMs: durationS === null ? null : Math.round(durationS * 1_000),
    streams: streams.map(streamOf),
    lastPacketMs: last === null ? null : Math.round((last - startS) * 1_000),
  };
}

async function lastPacketS(job: Job, file: string, from: number | null, signal: AbortSignal): Promise<number | null> {
  const interval = from === null || from === 0 ? [] : ["-read_intervals", `${from}%`];
  const args = ["-select_streams", "V:0", "-show_entries", "packet=pts_time,dts_time", "-of", "csv=p=0"];
  let last: number | null = null;
  await ffprobe(job, [...args, ...interval, asFile(file)], PACKETS_MS, signal, (line) => {
    for (const time of line.split(",").map(Number.parseFloat))
      if (Number.isFinite(time)) last = Math.max(last ?? time, time);
  });
  return last;
}

async function ffprobe(
  { ffprobe: program, confined, memory }: Job,
  args: readonly string[],
  wallMs: number,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<void> {
  const all = ["-v", "error", ...CONFINED, ...args];
  const end = await runProgram({ confined: [...confined, ...memory], program, args: all, wallMs, signal, onLine });
  signal.throwIfAborted();
  if (end.isLate) throw new Failed({ kind: "transient", code: "TIMEOUT", message: "ffprobe took too long" });
  if (CANNOT_RUN.has(end.code))
    throw new Failed(
      { kind: "unavailable", code: "PROGRAM_MISSING", message: `cannot run ${program}` },
      end.complaints,
    );
  if (end.signal !== null)
    throw new Failed({ kind: "transient", code: "KILLED", message: `ffprobe was ended by ${end.signal}` });
  if (end.code !== 0)
    throw new Failed(
      { kind: "permanent", code: "INVALID_FORMAT", message: "it cannot be read as film" },
      // Without the name of the file, which may be anything and is known.
      end.complaints.replaceAll(args.at(-1) ?? "", "it"),
    );
}

type Bag = Readonly<Record<string, unknown>>;

function readHead(text: string): { readonly format: Bag; readonly streams: readonly Bag[] } {
  try {
    const head = bag(JSON.parse(text));
    return { format: bag(head.format), streams: Array.isArray(head.streams) ? head.streams.map(bag) : [] };
  } catch {
    throw new Failed({ kind: "transient", code: "PROBE_OUTPUT", message: "ffprobe answered with something else" });
  }
}

function streamOf(one: Bag): FilmStream {
  const type = one.codec_type;
  return {
    kind: type === "video" || type === "audio" || type === "subtitle" ? type : "other",
    codec: textOf(one.codec_name) || "unknown",
    width: number(one.width),
    height: number(one.height),
    language: textOf(bag(one.tags).language) || null,
    isPicture: bag(one.disposition).attached_pic === 1,
    pixelFormat: textOf(one.pix_fmt) || null,
    frameRate: rate(textOf(one.avg_frame_rate)),
  };
}

const bag = (value: unknown): Bag => (typeof value === "object" && value !== null ? (value as Bag) : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

function seconds(value: unknown): number | null {
  const read = Number.parseFloat(String(value));
  return Number.isFinite(read) ? read : null;
}

/** "24000/1001" */
function rate(text: string): number | null {
  const [over = Number.NaN, under = Number.NaN] = text.split("/").map(Number);
  return Number.isFinite(over / under) && over > 0 ? over / under : null;
}
