// The demo of films and series that are asked for, found and downloaded.

import { type MediaWorld, startMediaWorld } from "../media/world.ts";
import { mediaLive } from "./media-live.ts";
import { mediaOnce } from "./media-once.ts";
import type { Show } from "./show.ts";

const FILMS = 24;

export const mediaShow: Show<MediaWorld> = {
  title: "films and series through search → download",
  parts: "a database, a metadata service, two indexers, a tracker, a seeder, a download client, a worker and a server",
  start: (options) => startMediaWorld({ ...options, stock: { size: { films: FILMS, series: 2 } } }),
  live: mediaLive,
  once: mediaOnce,
};
