// Where downloads come from: a tracker, and somebody who has everything.

import { keepAnnounced } from "../announcing.ts";
import { Seeder } from "../seeder.ts";
import { Stock } from "../stock.ts";
import { Tracker } from "../tracker.ts";
import type { MediaService } from "./definition.ts";

export const tracker: MediaService = {
  name: "tracker",
  service: null,
  about: "Tells who asks for a torrent who else has it.",
  ends: {
    ...{ name: "stop", by: "stop", does: "Ends its process: nobody new is found." },
    expect:
      "What has its peers goes on; what is begun now gets no byte. Mended soon enough, it goes on by itself; after the limit it counts as standing still, and the next release is taken.",
  },
  faults: {},
  async run({ port, pace }) {
    const server = new Tracker({ intervalSeconds: pace.announceSeconds });
    await server.start(port);
    return {};
  },
};

export const seeder: MediaService = {
  name: "seeder",
  service: null,
  about: "Has every release, and hands it out over BitTorrent.",
  ends: {
    ...{ name: "stop", by: "stop", does: "Ends its process: nobody has anything any more." },
    expect:
      "Downloads stand still where they are. Mended before the limit, they go on; after it the next release is taken, which nobody has either.",
  },
  faults: {
    stall: {
      does: "Lets peers in, and sends nothing of the best release of each title.",
      expect:
        "After the limit without a byte the torrent is removed, the release is blocked for this item, and the next of the list is taken, without another search. One attempt is spent.",
    },
  },
  async run({ port, stock: folder, announce, pace }) {
    const stock = new Stock(folder);
    let isStalled = false;
    const server = new Seeder({
      ...{ stock, releaseSeconds: pace.releaseSeconds },
      withholds: ({ trouble, place }) => trouble === "dead" || (isStalled && place === 0),
    });
    await server.start(port);
    void keepAnnounced(
      announce,
      port,
      stock.releases.map(({ infohash }) => infohash),
    );
    return {
      faults(faults) {
        isStalled = faults.has("stall");
      },
    };
  },
};
