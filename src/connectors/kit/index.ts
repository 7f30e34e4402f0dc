/** The connector kit: what every connector may use. No connector imports another one. */
export { type AnswerSchema, type Check, readJson } from "./check.ts";
export { type ProcessEnd, type ProcessOptions, type RunningProcess, startProcess } from "./child-process.ts";
export { type Confinement, canRun, confine, WITH_PARENT } from "./confine.ts";
export { dialHost, type Resolve } from "./dial.ts";
export { type EgressPolicy, egressRefusal } from "./egress.ts";
export { errnoFault } from "./errno-faults.ts";
export type { Answer, Limits, StreamedBody } from "./exchange.ts";
export { type ExitRule, type ExitStatus, type ExitTable, exitFault, SYSEXITS } from "./exit-faults.ts";
export { DEFAULT_LIMITS, type GuardedClient, type GuardedClientOptions, guardedClient } from "./guarded-fetch.ts";
export type { GuardedRequest } from "./guarded-request.ts";
export { connectionFault, type Phase, statusFault } from "./http-faults.ts";
export { endLeftovers, type ReapOptions, reap } from "./process-group.ts";
export { findProcess, findSurvivors, type ProcessIdentity, processState, type Survivors } from "./process-identity.ts";
export { nextHop, REDIRECT_STATUSES, type Redirects } from "./redirects.ts";
export { LONGEST_WAIT_MS, retryAfterMs } from "./retry-after.ts";
export {
  type CallOptions,
  type Listed,
  type Seen,
  type ServiceClient,
  supervised,
  type Work,
} from "./service-client.ts";
export {
  findService,
  forgetAddress,
  isBearer,
  readOrMakeToken,
  takeLock,
  tokenFileIn,
  writeAddress,
} from "./service-notes.ts";
export { type OwnFaults, type Trouble, Troubles } from "./troubles.ts";
