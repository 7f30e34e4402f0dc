// How much room is left where we and the database keep things. A mount that does not answer is left out until it does.

import { stat, statfs } from "node:fs/promises";
import type { Logger } from "../../engine/index.ts";
import { type Clock, safeText } from "../../kit/index.ts";
import type { DiskSpace } from "./cause.ts";

export interface DiskPlace {
  /** "temporary files", "the database". */
  readonly use: string;
  readonly path: string;
}

export interface Space {
  /** Places with the same device share their room. */
  readonly device: string;
  readonly free: number;
  readonly size: number;
}

export type SpaceAt = (path: string) => Promise<Space>;

export const spaceAt: SpaceAt = async (path) => {
  const [{ dev }, { bavail, blocks, bsize }] = await Promise.all([stat(path), statfs(path)]);
  return { device: String(dev), free: bavail * bsize, size: blocks * bsize };
};

const ANSWER_MS = 2_000;

export class Disks {
  readonly #places: readonly DiskPlace[];
  readonly #ports: { readonly clock: Clock; readonly log: Logger; readonly spaceAt: SpaceAt };
  /** Looks that have not come back: one that hangs holds a thread, so there is never a second one beside it. */
  readonly #looking = new Set<string>();

  constructor(places: readonly DiskPlace[], ports: { clock: Clock; log: Logger; spaceAt: SpaceAt }) {
    this.#places = places;
    this.#ports = ports;
  }

  async read(): Promise<DiskSpace[]> {
    const looks = await Promise.all(this.#places.map((place) => this.#look(place)));
    const seen = looks.flatMap((look) => look ?? []);
    return [...Map.groupBy(seen, ({ device }) => device).values()].flatMap((shared) => {
      const [first] = shared;
      if (first === undefined) return [];
      return [{ uses: shared.map(({ use }) => use), path: first.path, free: first.free, size: first.size }];
    });
  }

  async #look(place: DiskPlace): Promise<(DiskPlace & Space) | undefined> {
    const { clock, log } = this.#ports;
    if (this.#looking.has(place.path)) return undefined;
    this.#looking.add(place.path);
    const over = new AbortController();
    const look = this.#ports
      .spaceAt(place.path)
      .then((space) => ({ ...place, ...space }))
      .catch(
        (error: unknown) => void log.warn("alerts.disk-unknown", { path: place.path, error: safeText(error, 300) }),
      )
      .finally(() => {
        this.#looking.delete(place.path);
        over.abort("looked");
      });
    // The sleep ends early when the look has come back.
    const late = clock.sleep(ANSWER_MS, over.signal).then(() => (over.signal.aborted ? look : undefined));
    return (await Promise.race([look, late])) ?? undefined;
  }
}
