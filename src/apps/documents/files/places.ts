// Where files lie: by their hash once they are whole, and under a name of no meaning while they are written. Pure.

import path from "node:path";
export type FileKind = "source" | "result";

export interface Places {
  /** Everything that is uploaded, and what is being uploaded. */
  readonly uploads: string;
  /** Everything that came of it. */
  readonly results: string;
}

/** Beside what is whole, so that a rename never leaves the disk. */
export const INCOMING = "incoming";

const ENDINGS: { readonly [Kind in FileKind]: string } = { source: "pdf", result: "xml" };

export function rootOf(places: Places, kind: FileKind): string {
  return kind === "source" ? places.uploads : places.results;
}

/** In 256 folders, so that none has too many. */
export function fileAt(places: Places, kind: FileKind, sha256: string): string {
  return path.join(rootOf(places, kind), sha256.slice(0, 2), `${sha256}.${ENDINGS[kind]}`);
}

export function incomingFolder(places: Places, kind: FileKind): string {
  return path.join(rootOf(places, kind), INCOMING);
}

export function incomingAt(places: Places, kind: FileKind, name: string): string {
  return path.join(incomingFolder(places, kind), `${name}.part`);
}
