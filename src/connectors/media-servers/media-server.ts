// A server that shows films to people, and has to be told that there are new ones: Jellyfin, Emby or Plex.

import { InputError } from "../../kit/index.ts";

export interface MediaServer {
  about(signal?: AbortSignal): Promise<MediaServerAbout>;
  /** Files that came or changed, by their paths as the server sees its disk. It looks at them when it has time. */
  refresh(paths: readonly string[], signal?: AbortSignal): Promise<Refreshed>;
}

export type MediaServerKind = "jellyfin" | "emby" | "plex";

export interface MediaServerAbout {
  readonly kind: MediaServerKind;
  readonly name: string;
  readonly version: string;
  /** Of all its libraries, as it sees its disk. */
  readonly folders: readonly string[];
}

export interface Refreshed {
  /** Those that lie in none of its libraries. It was not told of them: it would say that all is well, and do nothing. */
  readonly strange: readonly string[];
}

const PATH_BYTES = 4_096;

/** Throws `InputError` for what cannot be a path there. */
export function checkPaths(paths: readonly string[]): void {
  for (const path of paths) {
    if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path))
      throw new InputError(
        "paths",
        `a path begins with /, as in /media/films, got ${JSON.stringify(path.slice(0, 80))}`,
      );
    if (/\p{Cc}/u.test(path)) throw new InputError("paths", "a path has a sign that no path may have");
    if (path.split(/[\\/]/).includes("..")) throw new InputError("paths", "a path leads back with ..");
    if (Buffer.byteLength(path) > PATH_BYTES) throw new InputError("paths", `a path has more than ${PATH_BYTES} bytes`);
  }
}

/** Whether a path lies below a folder, in the words of Linux or of Windows. */
export function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/[\\/]+$/, "");
  return path.startsWith(base) && /^[\\/]./.test(path.slice(base.length));
}

/** "/media/films/x" of "/media/films/x/y.mkv". */
export const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, "");
