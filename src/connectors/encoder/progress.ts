// What ffmpeg says of how far it has come: blocks of key=value lines, each ended by a line "progress=".

export interface EncodeProgress {
  readonly frame: number;
  readonly fps: number | null;
  readonly outTimeMs: number;
  readonly totalBytes: number;
  /** Seconds of film in a second. */
  readonly speed: number | null;
  readonly percent: number | null;
  readonly etaMs: number | null;
}

export interface Whole {
  readonly durationMs: number | null;
  readonly frameRate?: number | null;
}

/** The last whole block of a text that may begin and end anywhere; null where there is none yet. */
export function readProgress(text: string, whole: Whole): EncodeProgress | null {
  const end = text.lastIndexOf("\nprogress=");
  // Its own line may be half there: "progress=cont".
  if (end === -1) return null;
  const begin = text.lastIndexOf("\nprogress=", end - 1);
  const values = new Map(
    text
      .slice(begin === -1 ? 0 : begin + 1, end)
      .split("\n")
      .map((line) => line.split("=", 2).map((half) => half.trim()) as [string, string | undefined]),
  );
  const frame = counted(values.get("frame"));
  // "out_time_ms" is the same number, whatever it is called.
  const outTimeMs = Math.floor(counted(values.get("out_time_us") ?? values.get("out_time_ms")) / 1_000);
  const speed = positive(values.get("speed")?.replace(/x$/, ""));
  const doneMs = outTimeMs > 0 ? outTimeMs : byFrames(frame, whole.frameRate);
  const percent = share(doneMs, whole.durationMs);
  return {
    frame,
    fps: positive(values.get("fps")),
    outTimeMs,
    totalBytes: counted(values.get("total_size")),
    speed,
    percent,
    etaMs:
      percent === null || speed === null ? null : Math.max(0, Math.round(((whole.durationMs ?? 0) - doneMs) / speed)),
  };
}

export type Moving = Pick<EncodeProgress, "frame" | "outTimeMs" | "totalBytes">;

/** Alive is what moves in any of them: some encoders tell no time for minutes, and others no frames. */
export function hasMoved(before: Moving | null, now: Moving | null): boolean {
  if (now === null) return false;
  const { frame, outTimeMs, totalBytes } = before ?? { frame: 0, outTimeMs: 0, totalBytes: 0 };
  return now.frame > frame || now.outTimeMs > outTimeMs || now.totalBytes > totalBytes;
}

function share(doneMs: number, durationMs: number | null): number | null {
  if (durationMs === null || durationMs <= 0) return null;
  return Math.min(100, Math.round((1_000 * doneMs) / durationMs) / 10);
}

function byFrames(frame: number, frameRate: number | null | undefined): number {
  return frameRate === undefined || frameRate === null || frameRate <= 0 ? 0 : (frame / frameRate) * 1_000;
}

/** "N/A", blanks and what is below nothing are nothing. */
function counted(text: string | undefined): number {
  const number = Number.parseFloat(text ?? "");
  return Number.isFinite(number) && number > 0 ? Math.floor(number) : 0;
}

function positive(text: string | undefined): number | null {
  const number = Number.parseFloat(text ?? "");
  return Number.isFinite(number) && number > 0 ? number : null;
}
