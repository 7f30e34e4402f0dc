// The demo of films and series that are asked for, found, downloaded, encoded and delivered, and of documents that are converted.

import { WATCHED_DOCUMENTS } from "../documents/app.ts";
import { type MediaWorld, startMediaWorld } from "../media/world.ts";
import { documentsLive } from "./documents-live.ts";
import { mediaLive } from "./media-live.ts";
import { mediaOnce } from "./media-once.ts";
import type { Show } from "./show.ts";

const FILMS = 24;
/** Of a season: soon done, and still more than a film. */
const EPISODES = 5;

export const mediaShow: Show<MediaWorld> = {
  title: "films and series through search → download → encode → deliver, and PDFs to XML",
  parts:
    "a database, a metadata service, two indexers, a tracker, a seeder, a download client, two encoders, three SFTP servers, a media server, a gateway for documents, a worker and a server",
  start: (options) =>
    startMediaWorld({
      ...{ ...options, converts: WATCHED_DOCUMENTS },
      stock: { size: { films: FILMS, series: 2, episodes: EPISODES } },
    }),
  async live(world, admin, over) {
    await Promise.all([mediaLive(world, admin, over), documentsLive(world, over)]);
  },
  once: mediaOnce,
};
