// The download client that comes with Sluice, as `sluice torrents` runs it, and somebody else who uses it too.

import { processState, serveTorrents } from "../../../src/connectors/index.ts";
import { Somebody } from "../somebody.ts";
import { Stock } from "../stock.ts";
import type { MediaService } from "./definition.ts";

export const CLIENT_NAME = "main";
const STEP_MS = 1_000;
/** Of those that nobody has asked for yet. */
const ADDED_AT_ONCE = 5;

export const client: MediaService = {
  name: "client",
  service: `torrents:${CLIENT_NAME}`,
  about: "The download client that comes with Sluice; somebody else uses it too.",
  ends: {
    ...{ name: "kill", by: "kill", does: "Ends its process at once, as kill -9 does." },
    expect:
      "Its breaker opens, its items wait without an attempt, and no clock of theirs runs. Started again, it goes on from what was on the disk.",
  },
  faults: {
    delete: {
      does: "Every second somebody deletes a torrent that is being downloaded, with its files.",
      expect:
        "Two looks agree that it is gone: VANISHED. It is begun again, with another attempt; the release is not blamed.",
    },
    duplicate: {
      does: "Somebody adds the best releases of some titles for themselves, to a folder of their own.",
      expect:
        "Who asks for one of them has it at once: that it was there is a success, and our tag is added. When the item is deleted the tag goes, and the torrent stays.",
    },
  },
  async run({ port, folder, stock, pace }) {
    const self = { pid: process.pid, started: processState(process.pid)?.started ?? "" };
    const { url, token, stop } = await serveTorrents({
      ...{ folder, port, self, version: "sandbox", reach: "lan", seedMs: pace.seedMs, atATime: pace.torrentsAtATime },
      log: { info: () => undefined, warn: console.error, error: console.error },
    });
    const somebody = new Somebody({ url, token, folder });
    const { releases } = new Stock(stock);
    let deleting: NodeJS.Timeout | undefined;
    return {
      end: stop,
      async faults(faults) {
        clearInterval(deleting);
        if (faults.has("delete")) deleting = setInterval(() => void deleteOne(somebody).catch(console.error), STEP_MS);
        if (!faults.has("duplicate")) return;
        const known = new Set((await somebody.all()).map(({ infohash }) => infohash));
        const best = releases.filter(
          ({ place, isHidden, infohash }) => place === 0 && !isHidden && !known.has(infohash),
        );
        for (const release of best.slice(0, ADDED_AT_ONCE)) await somebody.add(release);
      },
    };
  },
};

async function deleteOne(somebody: Somebody): Promise<void> {
  const [first] = await somebody.unfinished();
  if (first !== undefined) await somebody.delete(first.infohash);
}
