// Having the torrent of a release, and seeing that it is what it says.

import { infohashOf, readTorrent } from "../../../connectors/index.ts";
import { Fault, type Visit } from "../../../engine/index.ts";
import type { Offered } from "../found.ts";
import { mapFor, ownFile, type Sought, unfit } from "../mapping.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";

export type Got = { readonly infohash: string } | { readonly fault: Fault };

/** Kept where it is what it says, before any client is told of it. */
export async function fetchTorrent(
  visit: Visit<WantedItem, unknown>,
  { services, store }: MediaPorts,
  offer: Offered,
  sought: Sought,
): Promise<Got> {
  try {
    const source = await visit.call(services.indexers(offer.indexer), (indexer) =>
      indexer.fetchTorrent({ ...offer, protocol: "torrent" }, { signal: visit.signal }),
    );
    const infohash = infohashOf(source);
    const { infohash: promised } = offer;
    if (promised !== null && promised !== infohash) return { fault: mismatch(promised, infohash) };
    // What a magnet holds is seen when its metadata is there.
    if (source.file !== undefined) {
      const files = readTorrent(source.file).files.map((file, index) => ({ ...file, index }));
      const own = ownFile(sought, mapFor(sought, offer.title, files));
      if (!("file" in own)) return { fault: unfit(own) };
    }
    const { magnet = null, file = null } = source;
    const goals = { seed_ratio: offer.minimumRatio, seed_ms: offer.minimumSeedMs };
    await store.keepTorrent({ infohash, magnet, file, ...goals });
    return { infohash };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    throw error;
  }
}

const mismatch = (promised: string, infohash: string): Fault =>
  new Fault("permanent", "WRONG_TORRENT", `it was offered as ${promised} and is ${infohash}`);
