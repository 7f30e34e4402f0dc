// A client that crashed may come back with less than it had. What it then fetches again is no new height for a long time, and would be
// taken for standing still; so after each setback bytes are counted under another name. Under which, and how high they were, the engine
// keeps: where the whole machine starts again, this process has no more of a memory than the client.

import type { SeenTorrent } from "../../../connectors/index.ts";

type Marks = Readonly<Record<string, number>>;

export class Setbacks {
  /** Seen before anybody had told them what they are to download. */
  #unknown: ReadonlySet<string> = new Set();

  /** One look at all torrents: what moves while each is alive, given what is known of it. */
  marksOf(all: ReadonlyMap<string, SeenTorrent>): (torrent: SeenTorrent, known: Marks) => Marks {
    const were = this.#unknown;
    const isOne = ({ infohash, wantedBytes }: SeenTorrent) => wantedBytes === null || were.has(infohash);
    this.#unknown = new Set([...all.values()].filter(isOne).map(({ infohash }) => infohash));
    return ({ infohash, receivedBytes, doneBytes, wantedBytes }, known) => {
      const bytes = Math.max(receivedBytes, doneBytes);
      // Metadata that comes is a sign of life; what came along with a file is none.
      const metadata = wantedBytes !== null && were.has(infohash) ? 1 : 0;
      return { [nameFor(bytes, known)]: bytes, metadata };
    };
  }
}

/** The name that bytes were counted under last, or where they are fewer now the next one. */
function nameFor(bytes: number, known: Marks): string {
  let setbacks = 0;
  while (known[nameAfter(setbacks + 1)] !== undefined) setbacks += 1;
  const height = known[nameAfter(setbacks)] ?? 0;
  return nameAfter(bytes < height ? setbacks + 1 : setbacks);
}

const nameAfter = (setbacks: number): string => (setbacks === 0 ? "bytes" : `bytes-${setbacks + 1}`);
