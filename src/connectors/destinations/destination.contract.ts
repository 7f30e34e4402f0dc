// What every destination has to do, the fake and the real ones alike. Plain functions on node:assert, so that any test runner can run
// them on any implementation.

import { names } from "./contract/names.ts";
import { refusals } from "./contract/refusals.ts";
import { remote } from "./contract/remote.ts";
import { sending } from "./contract/sending.ts";
import type { DestinationContractCase, RemoteDestinationContractCase } from "./contract/world.ts";

export type {
  DestinationClientOptions,
  DestinationContractCase,
  DestinationContractWorld,
  RemoteDestinationContractCase,
  RemoteDestinationContractWorld,
  SmallDisk,
} from "./contract/world.ts";

export const destinationContract: readonly DestinationContractCase[] = [...sending, ...names, ...refusals];
/** For those at the other end of a line, beside what holds for all. */
export const remoteDestinationContract: readonly RemoteDestinationContractCase[] = remote;
