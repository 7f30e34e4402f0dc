// Every service of the media world. One more is a file beside this one, and a line here.

import { client } from "./client.ts";
import type { MediaService } from "./definition.ts";
import { indexers } from "./indexers.ts";
import { metadata } from "./metadata.ts";
import { seeder, tracker } from "./swarm.ts";

export const MEDIA_SERVICES: readonly MediaService[] = [metadata, ...indexers, tracker, seeder, client];
