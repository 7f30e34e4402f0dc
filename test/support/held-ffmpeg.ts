// An ffmpeg that encodes half of a film, goes on in crumbs, and comes to the end of it when it is let: what happens in between cannot come
// too late, however fast or slow the machine is.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface HeldFfmpeg {
  /** The program to be made. */
  readonly file: string;
  /** It gets a line for each encode that it begins. */
  readonly notes: string;
  /** Shell, before it begins: it may change what it was told. */
  readonly also?: string;
  /** Its encodes come to their end once there is a file of this name; null for one that is not held. */
  readonly go: string | null;
}

const HELD = join(import.meta.dirname, "held-ffmpeg.sh");

export function heldFfmpeg({ file, notes, also = "", go }: HeldFfmpeg): string {
  const lines = [
    "#!/bin/bash",
    // What is encoded is written to a part; what is only tried out is not.
    `case "$*" in *.part.*) echo "$$" >> ${notes} ;; *) exec ffmpeg "$@" ;; esac`,
    also,
    go === null ? 'exec ffmpeg "$@"' : `go=${go}; . ${HELD}`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o755 });
  return file;
}
