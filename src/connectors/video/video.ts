// What a file of film is, as ffprobe tells it: its streams, how long it says it is, and how far its packets go.

import { z } from "zod";
import { permanent, transient } from "../../engine/index.ts";
import { type ExitTable, startProcess } from "../kit/index.ts";

export interface VideoFacts {
  /** As ffprobe calls it: "matroska,webm". */
  readonly format: string;
  /** As the file itself says; null where it says nothing. */
  readonly durationMs: number | null;
  readonly streams: readonly VideoStream[];
  /** Where the last packet of film that is there begins; null where none was found. */
  readonly lastPacketMs: number | null;
}

export interface VideoStream {
  readonly kind: "video" | "audio" | "subtitle" | "other";
  readonly codec: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly language: string | null;
  /** A picture that comes along, such as a cover. */
  readonly isPicture: boolean;
}

export interface ProbeOptions {
  /** Default: ffprobe of the PATH. */
  readonly program?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Probe {
  facts(file: string, signal?: AbortSignal): Promise<VideoFacts>;
}

export function videoProbe({ program = "ffprobe" }: ProbeOptions = {}): Probe {
  return {
    async facts(file, signal) {
      const told = await headOf(program, file, signal);
      const hasFilm = told.streams.some(({ kind, isPicture }) => kind === "video" && !isPicture);
      const lastPacketMs = hasFilm ? await lastPacket(program, file, told.durationMs, signal) : null;
      return { ...told, lastPacketMs };
    },
  };
}

// What else ffprobe can read names other files or addresses, which somebody could have it open for them.
const FORMATS = "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mpegts,mpeg,avi,asf,flv,ogg,m4v,wtv";
const GUARDED = ["-v", "error", "-protocol_whitelist", "file", "-format_whitelist", FORMATS];
const HEAD_MS = 30_000;
const PACKETS_MS = 240_000;
const TAIL_BYTES = 1024 * 1024;
/** Reading goes on from here before the end it claims. */
const BEFORE_END_S = 60;
/** "Cannot be read as film" and "is not there" are the same number to it; the file is looked for before. */
const EXITS: ExitTable = { 1: { kind: "permanent", code: "INVALID_FORMAT" } };

const number = z.union([z.number(), z.string().transform(Number)]).pipe(z.number());
const head = z.object({
  format: z.object({ format_name: z.string(), duration: number.optional().catch(undefined) }),
  streams: z
    .array(
      z.object({
        codec_type: z.string().optional(),
        codec_name: z.string().optional(),
        width: z.number().optional(),
        height: z.number().optional(),
        disposition: z.object({ attached_pic: z.number().optional() }).optional(),
        tags: z.record(z.string(), z.string()).optional(),
      }),
    )
    .default([]),
});

async function headOf(program: string, file: string, signal: AbortSignal | undefined) {
  const args = ["-show_format", "-show_streams", "-of", "json"];
  const text = await run(program, [...args, `file:${file}`], HEAD_MS, signal);
  const read = head.safeParse(parsed(text));
  if (!read.success) throw permanent("INVALID_FORMAT", "it cannot be read as film", { breaker: "none" });
  const { format, streams } = read.data;
  return {
    format: format.format_name,
    durationMs: format.duration === undefined ? null : Math.round(format.duration * 1_000),
    streams: streams.map(
      (one): VideoStream => ({
        kind: kindOf(one.codec_type),
        codec: one.codec_name ?? "unknown",
        width: one.width ?? null,
        height: one.height ?? null,
        language: one.tags?.language ?? null,
        isPicture: one.disposition?.attached_pic === 1,
      }),
    ),
  };
}

const KINDS = new Set(["video", "audio", "subtitle"]);

function kindOf(type: string | undefined): VideoStream["kind"] {
  return type !== undefined && KINDS.has(type) ? (type as VideoStream["kind"]) : "other";
}

/** Only the end is read where the file says when that is: a film has gigabytes. */
async function lastPacket(
  program: string,
  file: string,
  durationMs: number | null,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const from = durationMs === null ? 0 : Math.max(0, durationMs / 1_000 - BEFORE_END_S);
  const args = ["-select_streams", "V:0", "-show_entries", "packet=pts_time,dts_time", "-of", "csv=p=0"];
  const interval = from > 0 ? ["-read_intervals", `${from}%`] : [];
  let last: number | null = null;
  await run(program, [...args, ...interval, `file:${file}`], PACKETS_MS, signal, (line) => {
    for (const time of line.split(",").map(Number.parseFloat))
      if (Number.isFinite(time)) last = Math.max(last ?? 0, time * 1_000);
  });
  return last;
}

async function run(
  program: string,
  args: readonly string[],
  wallMs: number,
  signal: AbortSignal | undefined,
  onLine?: (line: string) => void,
): Promise<string> {
  const options = { program, args: [...GUARDED, ...args], wallMs, tailBytes: TAIL_BYTES, exits: EXITS, signal };
  const child = await startProcess({ ...options, ...(onLine === undefined ? {} : { onLine }) });
  const { output, fault } = await child.ended;
  if (fault !== undefined) throw fault;
  return output;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw transient("PROBE_OUTPUT", "ffprobe answered with more than it should, or with something else");
  }
}
