// The public engine: everything a pipeline's author imports from "sluice".

export {
  BugError,
  type Duration,
  InputError,
  type ItemId,
  type Logger,
  type OperationId,
  parseId,
  type QuestionId,
  type RequestId,
  SluiceError,
} from "../kit/index.ts";
export type { Queryable, Statement } from "./db/database.ts";
export { classifyDatabaseError } from "./db/errors.ts";
export { type OpenTablesOptions, openTables } from "./db/open-tables.ts";
export { prepareTables, type TableMigration } from "./db/own-tables.sql.ts";
export { compareCursors, FeedResetError } from "./events/cursor.ts";
export type { EventType, ItemEvent, ItemEventType, OtherEvent, OtherEventType, SluiceEvent } from "./events/event.ts";
export { tellExpired } from "./events/expired.sql.ts";
export type { FeedOptions } from "./events/feed.ts";
export type { HistoryEntry, HistoryPage } from "./events/history.ts";
export type { EventPage, EventsWanted, FeedLag } from "./events/read-events.ts";
export type { ExplainOptions } from "./explain/explain.ts";
export type { Action as OfferedAction, Explanation } from "./explain/explanation.ts";
export { FAILURES } from "./explain/failures.ts";
export { type ItemState, itemState, type StageFacts, statusWord } from "./explain/state.ts";
export { type TimeWords, timeWords } from "./explain/time-words.ts";
export { type WhyFacts, type WhyOptions, whyText } from "./explain/why-text.ts";
export { progressOf, type RequestCounts, type RequestStatus, rollUp } from "./intake/rollup.ts";
export type { SubmitOptions, Submitted } from "./intake/submission.ts";
export { type OpenOptions, openSluice, type WorkerOptions } from "./open.ts";
export type { ActionResult } from "./operate/action-result.ts";
export type { BulkFilter, BulkMember, BulkOperation, BulkPreview } from "./operate/bulk.ts";
export type { DryFinding, FinderState } from "./operate/finders.ts";
export type { Action, Would } from "./operate/plan.ts";
export type { HeldScope, Possible, ReplayFrom } from "./operate/possible.ts";
export type { RemoveOptions, RemoveTarget } from "./operate/remove.ts";
export type { ScheduleRun, ScheduleState } from "./operate/schedules.ts";
export type { StageScope, Switches, SwitchState } from "./operate/switches.ts";
export type { Versions } from "./operate/versions.ts";
export type { ActionOptions, LeaveOptions, ReplayOptions, SkipOptions } from "./operator.ts";
export type { Around, Came } from "./pipeline/around.ts";
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
export {
  type FindCall,
  type Finder,
  type FinderDefinition,
  type FoundEntity,
  type FoundPage,
  finder,
} from "./pipeline/finder.ts";
export type { KeepOptions } from "./pipeline/keep.ts";
export { again, ask, back, type Child, child, done, type Outcome, skip, spawn, wait } from "./pipeline/outcome.ts";
export {
  type KnownMarks,
  type Listed,
  type NotYet,
  notYet,
  type OutsideDefinition,
  type Seen,
  type SeenState,
  type StallDefinition,
} from "./pipeline/outside.ts";
export type { FailedPart, PartElement, PartsOutput, PartsPolicy, UndonePart } from "./pipeline/parts.ts";
export { type AnyPipeline, definePipeline, type Pipeline } from "./pipeline/pipeline.ts";
export type { RunMany } from "./pipeline/run-many.ts";
export {
  type Missed,
  type Schedule,
  type ScheduleDefinition,
  type ScheduledRun,
  schedule,
} from "./pipeline/schedule.ts";
export {
  type BreakerOptions,
  type Service,
  type ServiceFamily,
  type ServiceOptions,
  service,
} from "./pipeline/service.ts";
export type { Gate, PartsDefinition, StageDefinition, Visit } from "./pipeline/stage.ts";
export { type Comeback, comebackText } from "./read/comeback.ts";
export type { CheckResult, Diagnosis } from "./read/doctor.ts";
export type { Estimate, KnownEstimate, UnknownEstimate } from "./read/estimate.ts";
export type { FailureGroup, FailureGroups, FailuresOptions } from "./read/failures.ts";
export type { Became, Lengths, StageFigures } from "./read/figures.ts";
export { AmbiguousId } from "./read/find-id.ts";
export type { GateVerdict } from "./read/gates.ts";
export type { CheckpointView, ItemView, OutsideView } from "./read/item.ts";
export type { ItemLine } from "./read/item-line.ts";
export type { LaneLimits, ServiceLimits, StageCode, StageLimits } from "./read/limits.ts";
export type { ItemFilter, ItemTerms } from "./read/list-items.ts";
export type { RequestFilter, RequestLine, RequestTerms } from "./read/list-requests.ts";
export type { LiveItem, LiveItems } from "./read/live.ts";
export { type LogsOptions, type NoteLine, placeAfter, type VisitNotes } from "./read/logs.ts";
export type { CallLengths, Resumes, ServiceUser } from "./read/measures.ts";
export type { Origin } from "./read/origins.ts";
export type { OwnStage } from "./read/own-stages.sql.ts";
export type { Page, PageOptions } from "./read/page.ts";
export type { PartView } from "./read/parts.ts";
export type { GoneWorker, LanePulse, LongAway, Pulse, StagePulse, StallSeen } from "./read/pulse.ts";
export type { OpenQuestion, QuestionsOptions } from "./read/questions.ts";
export type { RequestView } from "./read/request.ts";
export type { RequestFigures } from "./read/request-figures.ts";
export type { ItemResult, RequestResult } from "./read/results.ts";
export type { Leaving, Retention, RetentionPreview, RetentionStatus } from "./read/retention.ts";
export type { ServiceState } from "./read/service.ts";
export type { Affected, ServiceDetail, ServiceError, ServiceTurn } from "./read/service-detail.ts";
export type { PipelineStanding } from "./read/standing.ts";
export type { StuckItem } from "./read/stuck.ts";
export type { PipelineTrend, TrendRange, Trends, TrendsOptions, WeekSums } from "./read/trends.ts";
export type { Orphans, VersionFigures, VersionState } from "./read/versions.ts";
export { type WorkerState, workerPlace } from "./read/workers.ts";
export type { RetentionOptions } from "./retention/limits.ts";
export type { RequestHandle, Sluice, Tables } from "./sluice.ts";
export { isChildProcess } from "./workers/os/index.ts";
export type { ServiceTest } from "./workers/service-test.ts";
