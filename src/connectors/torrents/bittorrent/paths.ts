// Names out of a torrent → places below a folder of ours. Pure. What cannot be meant well is refused, with words.

import { createHash } from "node:crypto";

export type RefusalCode = "NOT_A_TORRENT" | "TORRENT_V2_ONLY" | "WRONG_TORRENT" | "PLACE_TAKEN";

export class TorrentRefused extends Error {
  override readonly name = "TorrentRefused";
  readonly code: RefusalCode;

  constructor(message: string, code: RefusalCode = "NOT_A_TORRENT") {
    super(message);
    this.code = code;
  }
}

const LONGEST_NAME_BYTES = 255;
const LONGEST_PATH_BYTES = 2_048;
const DEEPEST = 24;

/** The names of one file's path, safe on this disk. */
export function safeNames(names: readonly string[]): readonly string[] {
  if (names.length === 0) throw new TorrentRefused("it has a file without a name");
  if (names.length > DEEPEST) throw new TorrentRefused(`it has folders deeper than ${DEEPEST}`);
  const safe = names.map(safeName);
  const bytes = safe.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0);
  if (bytes > LONGEST_PATH_BYTES) throw new TorrentRefused(`it has a path longer than ${LONGEST_PATH_BYTES} bytes`);
  return safe;
}

function safeName(name: string): string {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  if (name === "" || name === "." || name === "..") throw new TorrentRefused(`it has a file or folder named ${shown}`);
  // A separator, a NUL: no client makes such a name of an honest file.
  if (/[/\\\0]/.test(name)) throw new TorrentRefused(`it has a name that would leave its folder: ${shown}`);
  // Harmless here, but not for whoever prints the list: control codes, half a letter.
  return shortened(name.toWellFormed().replaceAll(/\p{Cc}/gu, "_"));
}

/** Longer than disks allow happens to honest names in other scripts: the end is kept, for it says what the file is. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME_BYTES) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  const mark = `~${createHash("sha1").update(name).digest("hex").slice(0, 8)}${ending}`;
  let start = name.slice(0, LONGEST_NAME_BYTES);
  while (Buffer.byteLength(start) + mark.length > LONGEST_NAME_BYTES) start = start.slice(0, -1);
  return start.toWellFormed() + mark;
}

/** Two files in one place, or a file where another has its folder: whoever writes last would win. */
export function checkDistinct(paths: readonly (readonly string[])[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const names of paths) {
    // Disks that know no capitals would make one of two.
    const whole = names.join("/").toLowerCase();
    if (files.has(whole))
      throw new TorrentRefused(`it has two files in one place: ${JSON.stringify(whole.slice(0, 80))}`);
    files.add(whole);
    for (let depth = 1; depth < names.length; depth += 1) folders.add(names.slice(0, depth).join("/").toLowerCase());
  }
  for (const folder of folders) {
    if (files.has(folder))
      throw new TorrentRefused(`it has a file and a folder in one place: ${JSON.stringify(folder.slice(0, 80))}`);
  }
}
