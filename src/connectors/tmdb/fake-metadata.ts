// The fake client: the same functions on a world in memory, with troubles on demand.

import { permanent, transient, unavailable } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { type CallOptions, type OwnFaults, type Trouble, Troubles } from "../kit/index.ts";
import { checkedId, checkedImdb, checkedSeason, checkedText } from "./check.ts";
import { asImage, imagePath } from "./images.ts";
import type { Metadata } from "./metadata.ts";
import { foundTitle, MetadataWorld, type MetadataWorldOptions } from "./metadata-world.ts";

/** What becomes of the next call. Who is rate-limited is told to wait seven seconds. */
export type MetadataTrouble = Exclude<Trouble, "timeout-but-done"> | Own;
type Own = "rate-limited" | "wrong-key" | "web-page" | "crash" | "offline";

export interface FakeMetadataOptions extends MetadataWorldOptions {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeMetadata {
  readonly metadata: Metadata;
  /** The other side, and what it knows. */
  readonly world: MetadataWorld;
  /** The next calls, one trouble each. */
  trouble(...troubles: readonly MetadataTrouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
}

export function fakeMetadata(options: FakeMetadataOptions = {}): FakeMetadata {
  const { service = "fake-metadata", clock } = options;
  const world = new MetadataWorld(options);
  const troubles = new Troubles<"any", Own>(service, { any: 0 }, clock, FAULTS);
  const answer = <T>(call: CallOptions | undefined, act: () => T): Promise<T> =>
    troubles.answer("any", call?.signal, act);
  const there = <T>(found: T | undefined): T => {
    if (found === undefined) throw permanent("TMDB_NOT_FOUND", `${service} knows no such thing`, { service });
    return found;
  };

  const metadata: Metadata = {
    film: async (id, call) => answer(call, () => there(world.film(checkedId(id)))),
    series: async (id, call) => answer(call, () => there(world.series(checkedId(id)))),
    season: async (id, season, call) => answer(call, () => there(world.season(checkedId(id), checkedSeason(season)))),
    searchFilms: async (text, year, call) =>
      answer(call, () => world.search("film", checkedText(text), year ?? null).map(foundTitle)),
    searchSeries: async (text, year, call) =>
      answer(call, () => world.search("series", checkedText(text), year ?? null).map(foundTitle)),
    findByImdb: async (imdbId, call) =>
      answer(call, () => ({
        films: world.byImdb("film", checkedImdb(imdbId)).map(foundTitle),
        series: world.byImdb("series", imdbId).map(foundTitle),
      })),
    externalIds: async (kind, id, call) =>
      answer(call, () => {
        const { imdbId, tvdbId } = there(kind === "film" ? world.film(checkedId(id)) : world.series(checkedId(id)));
        return { imdbId, tvdbId };
      }),
    image: async (kind, path, width, call) =>
      answer(call, () => {
        const bytes = world.image(imagePath(kind, path, width));
        if (bytes === undefined) throw permanent("IMAGE_NOT_FOUND", `${service} has no image ${path}`, { service });
        return asImage(bytes, service);
      }),
  };
  return {
    metadata,
    world,
    trouble: (...planned) => troubles.plan("any", ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

const FAULTS: OwnFaults<Own> = {
  "rate-limited": (service) =>
    unavailable("RATE_LIMITED", `${service} asked to slow down`, { service, retryAfter: "7s" }),
  "wrong-key": (service) => unavailable("AUTH", `${service} refused the key`, { service }),
  "web-page": (service) => transient("BAD_ANSWER", `${service} gave an answer that is not JSON`, { service }),
  crash: (service) => transient("HTTP_500", `${service} answered 500`, { service }),
  offline: (service) => unavailable("HTTP_503", `${service} answered 503`, { service }),
};
