// What goes over the wire, as types for whoever asks: made from the contract, so that neither can drift from the other. Types alone;
// no code comes with them.

import type { z } from "@hono/zod-openapi";
import type { account, auditEntry, key, madeKey, session } from "./accounts.ts";
import type { acted } from "./acted.ts";
import type { anyAction } from "./actions.ts";
import type { alertView, channelView, deliveryView, ruleView, sentView } from "./alerts.ts";
import type { member, operation, ordered, preview } from "./bulk.ts";
import type { page, problem } from "./common.ts";
import type { done, list } from "./done.ts";
import type { envelope, jobProgress } from "./events.ts";
import type { explanation } from "./explanation.ts";
import type { failureGroups } from "./failures.ts";
import type { itemView, requestView } from "./item.ts";
import type { itemLine, requestLine } from "./items.ts";
import type { me } from "./me.ts";
import type { diagnosis, overview, stuckItem } from "./overview.ts";
import type { estimate, historyPage, notesPage, visitNotes } from "./past.ts";
import type { pipeline, valve } from "./pipelines.ts";
import type { possibleActions } from "./possible.ts";
import type { finderState, question, scheduleState } from "./recurring.ts";
import type { retention, retentionPreview } from "./retention.ts";
import type { sandboxThing } from "./sandbox.ts";
import type { serviceDetail, serviceState, serviceTested, workerState } from "./services.ts";
import type { submitted } from "./submit.ts";
import type { trends } from "./trends.ts";
import type { versionView } from "./versions.ts";

export type {
  DocumentAbout,
  DocumentEvent,
  DocumentPreview,
  DocumentShow,
  DocumentStatus,
  DocumentView,
} from "./documents/documents.ts";
export type { Uploaded, UploadedFile } from "./documents/upload.ts";
export type { EncodeJobView, EncoderView, EncodingSetting, EncodingView } from "./media/encoding.ts";
export type { MediaReleases } from "./media/releases.ts";
export type { MediaAsk, MediaAsked, MediaCard, MediaRequest, MediaShow, MediaTarget } from "./media/requests.ts";
export type { ServerSetting, ServerView } from "./media/servers.ts";
export type {
  ClientSetting,
  ClientView,
  IndexerSetting,
  IndexerView,
  MediaTested,
  MetadataSetting,
  MetadataView,
  ProfileView,
} from "./media/settings.ts";
export type { TargetChoice } from "./media/targets.ts";
export type { MediaSeasons, MediaTitle } from "./media/titles.ts";

export type Account = z.infer<typeof account>;
export type Acted = z.infer<typeof acted>;
export type Action = z.infer<typeof anyAction>;
export type Alert = z.infer<typeof alertView>;
export type AlertRule = z.infer<typeof ruleView>;
export type AuditEntry = z.infer<typeof auditEntry>;
export type BulkMember = z.infer<typeof member>;
export type BulkOperation = z.infer<typeof operation>;
export type BulkOrdered = z.infer<typeof ordered>;
export type BulkPreview = z.infer<typeof preview>;
export type Channel = z.infer<typeof channelView>;
export type Delivery = z.infer<typeof deliveryView>;
export type Diagnosis = z.infer<typeof diagnosis>;
export type Done = z.infer<typeof done>;
export type Estimate = z.infer<typeof estimate>;
export type Event = z.infer<typeof envelope>;
export type Explanation = z.infer<typeof explanation>;
export type FailureGroups = z.infer<typeof failureGroups>;
export type Finder = z.infer<typeof finderState>;
export type History = z.infer<typeof historyPage>;
export type Item = z.infer<typeof itemView>;
export type ItemLine = z.infer<typeof itemLine>;
export type JobProgress = z.infer<typeof jobProgress>;
export type Key = z.infer<typeof key>;
export type List<Entry> = z.infer<ReturnType<typeof list<z.ZodType<Entry>>>>;
export type MadeKey = z.infer<typeof madeKey>;
export type Me = z.infer<typeof me>;
export type NotesPage = z.infer<typeof notesPage>;
export type Overview = z.infer<typeof overview>;
export type Page<Entry> = z.infer<ReturnType<typeof page<z.ZodType<Entry>>>>;
export type Pipeline = z.infer<typeof pipeline>;
export type PossibleActions = z.infer<typeof possibleActions>;
export type Problem = z.infer<typeof problem>;
export type Question = z.infer<typeof question>;
export type Request = z.infer<typeof requestView>;
export type RequestLine = z.infer<typeof requestLine>;
export type Retention = z.infer<typeof retention>;
export type RetentionPreview = z.infer<typeof retentionPreview>;
export type SandboxFault = SandboxThing["faults"][number];
export type SandboxThing = z.infer<typeof sandboxThing>;
export type Schedule = z.infer<typeof scheduleState>;
export type Sent = z.infer<typeof sentView>;
export type Service = z.infer<typeof serviceState>;
export type ServiceDetail = z.infer<typeof serviceDetail>;
export type ServiceTested = z.infer<typeof serviceTested>;
export type Session = z.infer<typeof session>;
export type StuckItem = z.infer<typeof stuckItem>;
export type Submitted = z.infer<typeof submitted>;
export type Trends = z.infer<typeof trends>;
export type Valve = z.infer<typeof valve>;
export type Version = z.infer<typeof versionView>;
export type VisitNotes = z.infer<typeof visitNotes>;
export type Worker = z.infer<typeof workerState>;
