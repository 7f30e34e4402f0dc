// The public engine: everything a pipeline's author imports from "sluice".

export {
  BugError,
  type Duration,
  InputError,
  type ItemId,
  type Logger,
  parseId,
  type QuestionId,
  type RequestId,
  SluiceError,
} from "../kit/index.ts";
export { FeedResetError } from "./events/cursor.ts";
export type { EventType, SluiceEvent } from "./events/event.ts";
export type { FeedOptions } from "./events/feed.ts";
export type { HistoryEntry, HistoryPage } from "./events/history.ts";
export type { FeedLag } from "./events/read-events.ts";
export type { Explanation } from "./explain/explanation.ts";
export type { SubmitOptions } from "./intake/submit.ts";
export { type OpenOptions, openSluice, type RetentionOptions, type WorkerOptions } from "./open.ts";
export type { RemoveOptions, RemoveTarget } from "./operate/remove.ts";
export type { Backoff } from "./pipeline/backoff.ts";
export {
  type BreakerReport,
  Fault,
  type FaultKind,
  type FaultOptions,
  permanent,
  transient,
  unavailable,
} from "./pipeline/fault.ts";
export type { KeepOptions } from "./pipeline/keep.ts";
export { again, ask, back, type Child, child, done, type Outcome, skip, spawn, wait } from "./pipeline/outcome.ts";
export type { Listed, OutsideDefinition, Seen, SeenState, StallDefinition } from "./pipeline/outside.ts";
export type { FailedPart, PartElement, PartsOutput, PartsPolicy, UndonePart } from "./pipeline/parts.ts";
export { type AnyPipeline, definePipeline, type Pipeline } from "./pipeline/pipeline.ts";
export {
  type BreakerOptions,
  type Service,
  type ServiceFamily,
  type ServiceOptions,
  service,
} from "./pipeline/service.ts";
export type { Gate, PartsDefinition, StageDefinition, Visit } from "./pipeline/stage.ts";
export type { ItemView } from "./read/item.ts";
export type { PartView } from "./read/parts.ts";
export type { OpenQuestion } from "./read/questions.ts";
export type { RequestView } from "./read/request.ts";
export type { ItemResult, RequestResult } from "./read/results.ts";
export type { Leaving, Retention, RetentionPreview, RetentionStatus } from "./read/retention.ts";
export type { ServiceState } from "./read/service.ts";
export type { ActionResult, RequestHandle, Sluice } from "./sluice.ts";
