// A client that crashed may come back with less than it had. What it then fetches again is no new height for a long time, and would be
// taken for standing still; so after each setback bytes are counted under another name.

import type { SeenTorrent } from "../../../connectors/index.ts";

interface Before {
  readonly bytes: number;
  readonly setbacks: number;
}

export class Setbacks {
  #before = new Map<string, Before>();

  /** One look at all torrents: what moves while each is alive. */
  marksOf(all: ReadonlyMap<string, SeenTorrent>): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const now = new Map<string, Before>();
    const marks = new Map<string, Readonly<Record<string, number>>>();
    for (const [infohash, { receivedBytes, doneBytes, wantedBytes }] of all) {
      const bytes = Math.max(receivedBytes, doneBytes);
      const before = this.#before.get(infohash) ?? { bytes, setbacks: 0 };
      const setbacks = before.setbacks + (bytes < before.bytes ? 1 : 0);
      now.set(infohash, { bytes, setbacks });
      // Metadata is the first that comes, and its coming is a sign of life.
      marks.set(infohash, { [nameFor(setbacks)]: bytes, metadata: wantedBytes === null ? 0 : 1 });
    }
    this.#before = now;
    return marks;
  }
}

const nameFor = (setbacks: number): string => (setbacks === 0 ? "bytes" : `bytes-${setbacks + 1}`);
