// Whether what a download client puts somewhere is found here: its folder, by the path mappings, has to be a folder that we can read.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { unavailable } from "../../engine/index.ts";
import { localPath, type PathMapping } from "./local-path.ts";

interface Place {
  readonly folder: string;
  readonly paths: readonly PathMapping[];
}

export type PlaceProof =
  | { readonly ours: string }
  | { readonly code: "PATH_NOT_MAPPED" | "PLACE_NOT_FOUND"; readonly why: string };

export async function placeProof({ folder, paths }: Place): Promise<PlaceProof> {
  const ours = localPath(folder, paths);
  if (ours === null)
    return { code: "PATH_NOT_MAPPED", why: `it puts things to ${folder}, and no path mapping says where that is here` };
  const wrong = await unreadable(ours);
  return wrong === undefined ? { ours } : { code: "PLACE_NOT_FOUND", why: placeWords(folder, ours, wrong) };
}

/** Before anything is begun there: what would be downloaded could not be taken on. Nobody's attempt, and no outage of the client. */
export async function proveHere(client: string, place: Place): Promise<void> {
  const proof = await placeProof(place);
  if ("why" in proof)
    throw unavailable(proof.code, `download client ${client}: ${proof.why}`, {
      service: `torrents:${client}`,
      breaker: "none",
    });
}

/** What is wrong with it as a folder; undefined where nothing is. */
async function unreadable(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return "is no folder";
    await access(folder, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "is not there";
    return code === "EACCES" ? "may not be read by us" : `cannot be looked at (${code})`;
  }
}

function placeWords(theirs: string, ours: string, wrong: string): string {
  const same = theirs === ours ? "" : `, its ${theirs},`;
  return `here ${ours}${same} ${wrong}: mount or make it, or say in a path mapping where it is`;
}
