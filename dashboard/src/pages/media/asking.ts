// What somebody asks for, as the form tells it. Pure.

import type { MediaAsk, MediaTitle, TargetChoice } from "../../../../src/server/contract/wire.ts";

interface Choices {
  /** Empty: the standard one. */
  readonly profile: string;
  /** Null: all but the specials. */
  readonly seasons: readonly number[] | null;
  readonly to?: Destinations;
}

/** By server: an encoding's name, null for what was found, undefined for what is usual there. */
export type Chosen = ReadonlyMap<string, string | null | undefined>;
export type Policy = MediaAsk["policy"];

export interface Destinations {
  readonly chosen: Chosen;
  readonly policy: Policy;
}

/** Without what the server fills in by itself. */
export type Asking = Pick<MediaAsk, "kind" | "tmdb" | "profile"> &
  Partial<Pick<MediaAsk, "targets" | "policy">> & { readonly seasons?: readonly number[] };

export function askingFor(
  { kind, tmdb }: Pick<MediaTitle, "kind" | "tmdb">,
  { profile, seasons, to }: Choices,
): Asking {
  return {
    kind,
    tmdb,
    ...(profile === "" ? {} : { profile }),
    ...(to === undefined || to.chosen.size === 0 ? {} : destinationsOf(to)),
    ...(kind === "film" || seasons === null ? {} : { seasons: seasons.toSorted((one, other) => one - other) }),
  };
}

/** With one server there is nothing for the others to have. */
function destinationsOf({ chosen, policy }: Destinations): Pick<Asking, "targets" | "policy"> {
  const targets = [...chosen].map(([name, encoding]) => (encoding === undefined ? { name } : { name, encoding }));
  return { targets, ...(targets.length > 1 ? { policy } : {}) };
}

/** What is chosen before anybody chose. */
export const usualOf = (servers: readonly TargetChoice[]): Chosen =>
  new Map(servers.filter(({ isDefault }) => isDefault).map(({ name }) => [name, undefined]));

/** Naming none means those that it goes to by itself: where there are any, one cannot choose none. */
export const isMeant = (chosen: Chosen, servers: readonly TargetChoice[]): boolean =>
  chosen.size > 0 || !servers.some(({ isDefault }) => isDefault);
