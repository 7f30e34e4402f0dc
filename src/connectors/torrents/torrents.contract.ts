// What every download client has to do, the fake and the real ones alike. Plain functions on node:assert, so that any test runner can
// run them on any implementation.

import { downloads } from "./contract/downloads.ts";
import { ownership } from "./contract/ownership.ts";
import { refusals } from "./contract/refusals.ts";
import type { TorrentsContractCase } from "./contract/world.ts";

export type { MadeTorrent, SeenTorrents, TorrentsContractCase, TorrentsContractWorld } from "./contract/world.ts";

export const torrentsContract: readonly TorrentsContractCase[] = [...downloads, ...ownership, ...refusals];
