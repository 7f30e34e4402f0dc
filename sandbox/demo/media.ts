// The demo of films and series that are asked for, found, downloaded, encoded and delivered.

import { type MediaWorld, startMediaWorld } from "../media/world.ts";
import { mediaLive } from "./media-live.ts";
import { mediaOnce } from "./media-once.ts";
import type { Show } from "./show.ts";

const FILMS = 24;
/** Of a season: soon done, and still more than a film. */
const EPISODES = 5;

export const mediaShow: Show<MediaWorld> = {
  title: "films and series through search → download → encode → deliver",
  parts:
    "a database, a metadata service, two indexers, a tracker, a seeder, a download client, two encoders, three SFTP servers, a media server, a worker and a server",
  start: (options) => startMediaWorld({ ...options, stock: { size: { films: FILMS, series: 2, episodes: EPISODES } } }),
  live: mediaLive,
  once: mediaOnce,
};
