// What somebody asks for, as the form tells it. Pure.

import type { MediaAsk, MediaTitle } from "../../../../src/server/contract/wire.ts";

interface Chosen {
  /** Empty: the standard one. */
  readonly profile: string;
  /** Null: all but the specials. */
  readonly seasons: readonly number[] | null;
}

/** Without what the server fills in by itself. */
export type Asking = Pick<MediaAsk, "kind" | "tmdb" | "profile"> & { readonly seasons?: readonly number[] };

export function askingFor({ kind, tmdb }: Pick<MediaTitle, "kind" | "tmdb">, { profile, seasons }: Chosen): Asking {
  return {
    kind,
    tmdb,
    ...(profile === "" ? {} : { profile }),
    ...(kind === "film" || seasons === null ? {} : { seasons: seasons.toSorted((one, other) => one - other) }),
  };
}
