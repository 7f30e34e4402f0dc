/** Kit: what every unit may use and none of it knows what Sluice is for. */

export { checkText } from "./check-text.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Duration, describeDuration, toMilliseconds } from "./duration.ts";
export { BugError, InputError, invariant, SluiceError, type SluiceErrorOptions } from "./errors.ts";
export { Gate } from "./gate.ts";
export {
  formatId,
  type Id,
  type IdKind,
  type IdRange,
  type ItemId,
  idsBeginning,
  type OperationId,
  parseId,
  type QuestionId,
  type RequestId,
  type WorkerId,
} from "./ids.ts";
export { insistentLoop } from "./insistent-loop.ts";
export { type CheckJsonOptions, checkJson } from "./json.ts";
export { type Logger, silentLogger } from "./logger.ts";
export { meant, nearest, orElse } from "./nearest.ts";
export { type Random, seededRandom, systemRandom } from "./random.ts";
export { redactJson, redactText, SECRET_WORDS } from "./redact.ts";
export { type Loop, loop, type Service } from "./start-stop.ts";
export { type ManualClock, manualClock } from "./testing/manual-clock.ts";
export { printable, safeText } from "./text.ts";
export { together } from "./together.ts";
