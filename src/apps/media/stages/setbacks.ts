// A client that crashed may come back with less than it had. What it then fetches again is no new height for a long time, and would be
// taken for standing still; so after each setback bytes are counted under another name.

import type { SeenTorrent } from "../../../connectors/index.ts";

interface Before {
  readonly bytes: number;
  readonly setbacks: number;
  /** It was seen before anybody had told it what it is to download. */
  readonly wasUnknown: boolean;
}

export class Setbacks {
  #before = new Map<string, Before>();

  /** One look at all torrents: what moves while each is alive. */
  marksOf(all: ReadonlyMap<string, SeenTorrent>): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const now = new Map<string, Before>();
    const marks = new Map<string, Readonly<Record<string, number>>>();
    for (const [infohash, { receivedBytes, doneBytes, wantedBytes }] of all) {
      const bytes = Math.max(receivedBytes, doneBytes);
      const isUnknown = wantedBytes === null;
      const before = this.#before.get(infohash) ?? { bytes, setbacks: 0, wasUnknown: isUnknown };
      const setbacks = before.setbacks + (bytes < before.bytes ? 1 : 0);
      const wasUnknown = before.wasUnknown || isUnknown;
      now.set(infohash, { bytes, setbacks, wasUnknown });
      // Metadata that comes is a sign of life; what came along with a file is none.
      marks.set(infohash, { [nameFor(setbacks)]: bytes, metadata: wasUnknown && !isUnknown ? 1 : 0 });
    }
    this.#before = now;
    return marks;
  }
}

const nameFor = (setbacks: number): string => (setbacks === 0 ? "bytes" : `bytes-${setbacks + 1}`);
