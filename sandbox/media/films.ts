// Films made on the spot: short, real, and each with content of its own. One is encoded, and the others are the same pictures under
// another title, which makes another file.

import { execFile } from "node:child_process";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const LIMIT = { timeout: 120_000, maxBuffer: 1024 * 1024 };

export interface FilmShape {
  readonly seconds: number;
  /** About so many; what is more than the pictures need is noise. */
  readonly kilobytes: number;
}

/** A film that others are made of. */
export async function makePattern(file: string, { seconds, kilobytes }: FilmShape): Promise<void> {
  const bitrate = `${Math.max(50, Math.floor((kilobytes * 8) / seconds))}k`;
  const picture = `testsrc2=size=320x180:rate=24:duration=${seconds},noise=alls=20:allf=t`;
  const sources = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
  const rate = ["-b:v", bitrate, "-minrate", bitrate, "-maxrate", bitrate, "-bufsize", bitrate];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", ...rate, "-c:a", "aac", "-shortest"];
  await run("ffmpeg", ["-v", "error", "-nostdin", "-y", ...sources, ...codecs, file], LIMIT);
}

/** The same pictures under a title, in a container of their own. */
export async function makeFilm(pattern: string, file: string, title: string): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.part.mkv`);
  await run(
    "ffmpeg",
    ["-v", "error", "-nostdin", "-y", "-i", pattern, "-c", "copy", "-metadata", `title=${title}`, part],
    LIMIT,
  );
  await rename(part, file).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
}
