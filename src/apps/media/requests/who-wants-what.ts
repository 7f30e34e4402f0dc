// Who wants what of a film or an episode: the servers it goes to, and the encodings that they take. What whoever asked first names is in its
// input; what those named who joined is asked of the database, once in a visit, however many of its gates want to know.

import type { EncodingProfile } from "../../../connectors/index.ts";
import type { RequestId, Visit } from "../../../engine/index.ts";
import type { WantedItem } from "../wanted.ts";

export type Target = WantedItem["targets"][number];

export interface Wishes {
  readonly targets: readonly Target[];
  /** Those that the targets name, whole, each once. */
  readonly encodings: readonly EncodingProfile[];
}

/** A target that somebody named, with its encoding as that was then. */
export interface NamedTarget extends Target {
  readonly profile: EncodingProfile | null;
}

type Asking = Pick<Visit<WantedItem>, "input" | "item">;

/** Of an item. A part knows what it is for: its request is another one, and nobody joins it. */
export type WhoWantsWhat = (visit: Asking) => Promise<Wishes>;

export function whoWantsWhat(named: (request: RequestId) => Promise<readonly NamedTarget[]>): WhoWantsWhat {
  // By the visit itself: the next one has to ask anew, or who joined in between would not be seen.
  const asked = new WeakMap<Asking, Promise<Wishes>>();
  return (visit) => {
    const known = asked.get(visit) ?? named(visit.item.request).then((joined) => allWishes(visit.input, joined));
    asked.set(visit, known);
    return known;
  };
}

/** Who joined adds targets and encodings, and changes none. */
export function allWishes(
  { targets, encodings }: Pick<WantedItem, "targets" | "encodings">,
  joined: readonly NamedTarget[],
): Wishes {
  const added = joined.map(({ name, encoding }) => ({ name, encoding }));
  const profiles = joined.flatMap(({ profile }) => (profile === null ? [] : [profile]));
  return { targets: firstOfEach([...targets, ...added]), encodings: firstOfEach([...encodings, ...profiles]) };
}

function firstOfEach<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const one of all) if (!first.has(one.name)) first.set(one.name, one);
  return [...first.values()];
}
