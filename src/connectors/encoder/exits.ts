// How ffmpeg ended, and what else is known → what went wrong. By its exit code alone nobody can tell: up to version 6 it is 1 for
// everything. So the disk and the source are asked, and never the text it printed.

export interface Failure {
  readonly kind: "permanent" | "transient" | "unavailable";
  readonly code: string;
  readonly message: string;
}

export interface FfmpegEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Which of our own limits ended it. */
  readonly limit: "wall" | "output" | null;
  readonly isDiskFull: boolean;
  readonly isSourceThere: boolean;
  /** Whether one picture of the source can be decoded; null where that was not tried. */
  readonly canDecode: boolean | null;
}

/** Since version 6.1: the lowest byte of its own error numbers. */
const NOT_FOUND = 8; // neither decoder nor encoder of that name
const INVALID_DATA = 183;
const ENOSPC = 228;
/** Until 6.1: two thirds of the source could not be decoded. */
const MOSTLY_BROKEN = 69;
/** As wrappers say it: the program is not there, or may not be run. */
const CANNOT_RUN = new Set([126, 127]);
/** It was asked to stop, and did so in good order. */
const STOPPED = 255;
const ASKED = new Set(["SIGTERM", "SIGINT", "SIGHUP"]);

/** Null for a good end. */
export function ffmpegFailure(end: FfmpegEnd): Failure | null {
  const { code, signal } = end;
  if (end.limit === "wall") return { kind: "transient", code: "TIMEOUT", message: "ffmpeg took longer than it may" };
  if (end.limit === "output")
    return { kind: "permanent", code: "OUTPUT_TOO_LARGE", message: "what ffmpeg wrote is larger than it may be" };
  if (code === 0) return null;
  if (code === STOPPED || (signal !== null && ASKED.has(signal)))
    return { kind: "unavailable", code: "INTERRUPTED", message: "ffmpeg was told to stop" };
  if (code !== null && CANNOT_RUN.has(code))
    return { kind: "unavailable", code: "PROGRAM_MISSING", message: "ffmpeg cannot be run" };
  if (end.isDiskFull || code === ENOSPC)
    return { kind: "unavailable", code: "DISK_FULL", message: "there is no space left for the film" };
  // The system kills what takes too much memory with SIGKILL: the same film may do it again, so it counts.
  if (signal !== null)
    return {
      kind: "transient",
      code: signal === "SIGKILL" ? "KILLED" : "CRASHED",
      message: `ffmpeg was ended by ${signal}`,
    };
  if (!end.isSourceThere) return { kind: "permanent", code: "FILE_NOT_FOUND", message: "the film is no longer there" };
  if (code === NOT_FOUND || end.canDecode === false)
    return { kind: "permanent", code: "UNSUPPORTED_CODEC", message: `not one picture could be decoded (${code})` };
  if (code === INVALID_DATA || code === MOSTLY_BROKEN)
    return { kind: "permanent", code: "INVALID_FORMAT", message: `it could not be read as film (${code})` };
  return { kind: "transient", code: code === null ? "UNKNOWN" : `EXIT_${code}`, message: `ffmpeg left with ${code}` };
}
