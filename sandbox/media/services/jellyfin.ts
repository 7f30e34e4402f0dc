// A media server, in the words of Jellyfin, which is told of what arrives in the attic.

import { FAULTS } from "../../service/faults.ts";
import { LittleMediaServer } from "../media-server.ts";
import type { MediaService } from "./definition.ts";

export const JELLYFIN_KEY = "key-of-jellyfin";
/** Where it sees the attic's disk. */
export const JELLYFIN_ROOT = "/srv/attic";

const NOTED =
  "What is delivered to the attic is delivered all the same; that its media server was not told is noted with the target.";

export const jellyfin: MediaService = {
  ...{ name: "jellyfin", service: null },
  about: "Shows what is in the attic, and is told when there is more; speaks as Jellyfin does.",
  ends: { name: "stop", by: "stop", does: FAULTS.stop.does, expect: NOTED },
  faults: { nonsense: { does: "Answers every question with a web page.", expect: NOTED } },
  async run({ port }) {
    const folders = ["Films", "Series"].map((folder) => `${JELLYFIN_ROOT}/${folder}`);
    const server = new LittleMediaServer({ kind: "jellyfin", key: JELLYFIN_KEY, name: "attic", folders });
    await server.up(port);
    return {
      faults(faults) {
        server.standing = faults.has("nonsense") ? "web-page" : undefined;
      },
    };
  },
};
