// Every service of the media world. One more is a file beside this one, and a line here.

import { client } from "./client.ts";
import type { MediaService } from "./definition.ts";
import { gateway } from "./gateway.ts";
import { indexers } from "./indexers.ts";
import { jellyfin } from "./jellyfin.ts";
import { metadata } from "./metadata.ts";
import { servers } from "./servers.ts";
import { seeder, tracker } from "./swarm.ts";

/** What it takes until something is downloaded. */
export const SOURCES: readonly MediaService[] = [metadata, ...indexers, tracker, seeder, client];
/** What it is delivered to. */
export const DESTINATIONS: readonly MediaService[] = [...servers, jellyfin];
/** What documents are converted by. */
export const CONVERTERS: readonly MediaService[] = [gateway];

export const MEDIA_SERVICES: readonly MediaService[] = [...SOURCES, ...DESTINATIONS, ...CONVERTERS];
