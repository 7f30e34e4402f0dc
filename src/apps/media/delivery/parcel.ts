// What goes to which server, and under which name: decided once, when an item enters the stage. Pure.

import { createHash } from "node:crypto";
import type { ItemId, PartsOutput } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";
import type { Found } from "../found.ts";
import type { Target } from "../requests/who-wants-what.ts";
import type { ServerRow } from "../settings/servers.sql.ts";
import type { WantedItem } from "../wanted.ts";
import { libraryPath, type NamedEpisode, type NamedFilm } from "./names.ts";

/** What the stages before have handed on; `encode` where there is such a stage. */
export interface Made {
  readonly search: Found;
  readonly download: FileToSend & { readonly infohash: string };
  readonly encode?: PartsOutput<Encoded> | undefined;
}

export interface FileToSend {
  /** On our own disk. */
  readonly path: string;
  readonly bytes: number;
}

export interface WhyNot {
  readonly code: string;
  readonly message: string;
}

/** The encode of its profile, or the download: where it names none, or the encode came to nothing better. */
export function fileFor(
  { encoding }: Target,
  { download, encode }: Pick<Made, "download" | "encode">,
): FileToSend | WhyNot {
  const { path, bytes } = download;
  if (encoding === null) return { path, bytes };
  const made = encode?.outputs[encoding];
  if (made?.kind === "made") return { path: made.path, bytes: made.bytes };
  if (made !== undefined) return { path, bytes };
  const failed = encode?.failed.find(({ part }) => part === encoding);
  if (failed !== undefined)
    return { code: failed.code, message: `it could not be encoded as ${encoding}: ${failed.message}` };
  return { code: "NOT_ENCODED", message: `it was not encoded as ${encoding}` };
}

/** Encodings that nobody has tried yet: a target came when the others had been made. */
export function encodingsMissing(targets: readonly Target[], encode: PartsOutput<Encoded> | undefined): string[] {
  const known = new Set([
    ...(encode?.delivered ?? []),
    ...(encode?.failed ?? []).map(({ part }) => part),
    ...(encode?.cancelled ?? []),
  ]);
  const asked = targets.flatMap(({ encoding }) => (encoding === null || known.has(encoding) ? [] : [encoding]));
  return [...new Set(asked)];
}

/** A target as a part of the stage: all that is needed to bring it there. */
export interface Consignment {
  /** The server's. */
  readonly name: string;
  readonly item: ItemId;
  readonly encoding: string | null;
  /** Below the server's root. */
  readonly to: string;
  /** Tells its part from any other's. */
  readonly id: string;
  /** Of which film or episodes it is: a name may be the same, and the title another. */
  readonly title: string;
  /** Of which download, in which encoding: what two items make of it is as good for the one as for the other. */
  readonly madeOf: string;
  readonly isWhole: boolean;
  readonly file: FileToSend | null;
  /** Why there is nothing to send. */
  readonly failure: WhyNot | null;
}

export interface Consigned {
  readonly item: ItemId;
  readonly input: WantedItem;
  readonly out: Made;
  readonly targets: readonly Target[];
  readonly servers: readonly Pick<ServerRow, "name" | "films" | "series" | "media_kind">[];
  /** All that are in the downloaded file. */
  readonly episodes: readonly number[];
}

export function consignments({ item, input, out, targets, servers, episodes }: Consigned): Consignment[] {
  const named = namedOf(input, out.search, episodes);
  const title = titleOf(named);
  return targets.map((target) => {
    const server = servers.find(({ name }) => name === target.name);
    const found = fileFor(target, out);
    const file = "path" in found ? found : null;
    const folder = (input.kind === "film" ? server?.films : server?.series) ?? "";
    const below = libraryPath(named, file?.path ?? out.download.path, server?.media_kind ?? null);
    return {
      ...{ name: target.name, item, encoding: target.encoding, to: folder === "" ? below : `${folder}/${below}` },
      ...{ id: partIdOf(file ?? out.download), title, madeOf: `${out.download.infohash} ${target.encoding ?? ""}` },
      isWhole: input.policy === "all-or-nothing",
      ...{ file, failure: "path" in found ? null : found },
    };
  });
}

/** The same for the same file, however often the stage is entered, and by whom: what is there is gone on from. */
const partIdOf = ({ path, bytes }: FileToSend): string =>
  createHash("sha256").update(`${path}\n${bytes}`).digest("hex").slice(0, 16);

const titleOf = (named: NamedFilm | NamedEpisode): string =>
  named.kind === "film" ? `film ${named.tmdb}` : `episode ${named.tmdb} ${named.season} ${named.episodes.join("-")}`;

function namedOf(input: WantedItem, { sought }: Found, episodes: readonly number[]): NamedFilm | NamedEpisode {
  const { tmdb } = input;
  const { year } = sought;
  const [title = ""] = sought.titles;
  if (input.kind === "film") return { kind: "film", title, year, tmdb };
  const { season, episode } = input;
  const all = episodes.includes(episode) ? [...episodes].sort((a, b) => a - b) : [episode];
  // The name of one of them would be wrong for the file.
  return { kind: "episode", title, year, tmdb, season, episodes: all, name: all.length > 1 ? null : input.name };
}
