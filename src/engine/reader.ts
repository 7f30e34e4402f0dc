// What can be asked of an open Sluice. Nothing here changes anything.

import type { ItemId, QuestionId, RequestId } from "../kit/index.ts";
import type { EnginePorts } from "./engine-ports.ts";
import type { SluiceEvent } from "./events/event.ts";
import { type FeedOptions, feed } from "./events/feed.ts";
import { type HistoryOptions, type HistoryPage, history } from "./events/history.ts";
import {
  type EventPage,
  type EventsWanted,
  type FeedLag,
  feedLag,
  newestCursor,
  readEvents,
} from "./events/read-events.ts";
import type { ExplainOptions } from "./explain/explain.ts";
import type { Explanation } from "./explain/explanation.ts";
import type { StageFacts, StageLookup } from "./explain/state.ts";
import { listValves, type ValveRow } from "./operate/valve.sql.ts";
import { Overview } from "./overview.ts";
import type { Diagnosis } from "./read/doctor.ts";
import type { Estimate } from "./read/estimate.ts";
import { explainEach, explainItem } from "./read/explain-item.ts";
import type { StageFigures } from "./read/figures.ts";
import { atOneMoment, inOrder } from "./read/in-order.sql.ts";
import type { ItemView } from "./read/item.ts";
import type { ItemLine } from "./read/item-line.ts";
import type { ItemFilter } from "./read/list-items.ts";
import type { RequestFilter, RequestLine } from "./read/list-requests.ts";
import { LiveItems } from "./read/live.ts";
import { type LogsOptions, readLogs, type VisitNotes } from "./read/logs.ts";
import type { CallLengths, Resumes, ServiceUser } from "./read/measures.ts";
import type { Origin } from "./read/origins.ts";
import type { Page, PageOptions } from "./read/page.ts";
import type { Pulse } from "./read/pulse.ts";
import { type OpenQuestion, type QuestionsOptions, readQuestion, readQuestions } from "./read/questions.ts";
import type { RequestView } from "./read/request.ts";
import type { RequestFigures } from "./read/request-figures.ts";
import { Retention } from "./read/retention.ts";
import { type ServiceState, serviceState } from "./read/service.ts";
import type { PipelineStanding } from "./read/standing.ts";
import type { StuckItem } from "./read/stuck.ts";
import type { WorkerState, WorkersPage } from "./read/workers.ts";
import { listServices } from "./services/service.sql.ts";
import type { Registry } from "./workers/registry.ts";
import { type SizeOf, sizesOf } from "./workers/tally.ts";
import type { WakeUp } from "./workers/wake-up.ts";

export class Reader extends Overview {
  /** How much is stored, for how long, and what would go. */
  readonly retention: Retention;
  readonly #ports: EnginePorts;
  readonly #wakeUp: WakeUp;
  readonly #stagesOf: StageLookup;
  readonly #sizeOf: SizeOf;

  constructor(ports: EnginePorts, registry: Registry, wakeUp: WakeUp) {
    super(ports, registry);
    this.retention = new Retention(ports.db);
    this.#ports = ports;
    this.#wakeUp = wakeUp;
    this.#sizeOf = sizesOf(registry).sizeOf;
    this.#stagesOf = (pipeline) => registry.placesOf(pipeline)?.map((place) => place.stage);
  }

  /** What people are asked right now, oldest first; of one item where one is named. */
  async questions(item?: ItemId, options: QuestionsOptions = {}): Promise<OpenQuestion[]> {
    return await readQuestions(this.#ports.db, item, options);
  }

  /** One of them, also when it was answered or withdrawn. To an owner that is named, another's is not there. */
  async question(
    id: QuestionId,
    { owner }: { readonly owner?: string | undefined } = {},
  ): Promise<OpenQuestion & { readonly isOpen: boolean }> {
    return await readQuestion(this.#ports.db, id, owner);
  }

  async valves(): Promise<ValveRow[]> {
    return await listValves(this.#ports.db);
  }

  /** How the services stand that any pipeline uses. */
  async services(): Promise<ServiceState[]> {
    return (await listServices(this.#ports.db)).map(serviceState);
  }

  /** How many items stand in line for each service. */
  async behindServices(): Promise<ReadonlyMap<string, number>> {
    const { behindServices } = await import("./read/standing.sql.ts");
    return new Map((await behindServices(this.#ports.db)).map((row) => [row.service, row.items]));
  }

  /** Who works here, and who did until lately: 200, or as many as are asked for after one's place. */
  async workers(page: WorkersPage = {}): Promise<WorkerState[]> {
    return await (await import("./read/workers.ts")).readWorkers(this.#ports.db, page);
  }

  /** How an item stands, with its input and what its stages handed on. To an owner that is named, another's is not there. */
  async item(id: ItemId, { owner }: { readonly owner?: string | undefined } = {}): Promise<ItemView> {
    const { readItem } = await import("./read/item.ts");
    return await atOneMoment(this.#ports.db, (tx) => readItem(tx, this.#stagesOf, id, owner));
  }

  /** The item that is meant by its id, its id without zeros, or an id's beginning that no other has. */
  async itemId(text: string, { owner }: { readonly owner?: string | undefined } = {}): Promise<ItemId> {
    return await (await import("./read/find-id.ts")).findId(this.#ports.db, "item", text, owner);
  }

  /** The same for a request. */
  async requestId(text: string, { owner }: { readonly owner?: string | undefined } = {}): Promise<RequestId> {
    return await (await import("./read/find-id.ts")).findId(this.#ports.db, "request", text, owner);
  }

  /** Items that match, newest first, a page at a time. */
  async items(filter: ItemFilter = {}, page: PageOptions = {}): Promise<Page<ItemLine>> {
    const { listItems } = await import("./read/list-items.ts");
    return await inOrder(this.#ports.db, (tx) => listItems(tx, this.#stagesOf, filter, page));
  }

  /** Requests that match, newest first, a page at a time. */
  async requests(filter: RequestFilter = {}, page: PageOptions = {}): Promise<Page<RequestLine>> {
    const { listRequests } = await import("./read/list-requests.ts");
    return await inOrder(this.#ports.db, (tx) => listRequests(tx, filter, page));
  }

  /** How a request stands: counts, status and progress, derived from its items. */
  async request(id: RequestId, { owner }: { readonly owner?: string | undefined } = {}): Promise<RequestView> {
    return await (await import("./read/request.ts")).readRequest(this.#ports.db, this.#stagesOf, id, owner);
  }

  /** Why an item is where it is, since when, until when, and what can be done, in a sentence. */
  async explain(item: ItemId, options: ExplainOptions = {}): Promise<Explanation> {
    return await explainItem(this.#ports.db, this.#stagesOf, item, options);
  }

  /** The same of many, by a few statements. Those that are gone are left out. */
  async explainEach(items: readonly ItemId[], options: ExplainOptions = {}): Promise<ReadonlyMap<ItemId, Explanation>> {
    return await explainEach(this.#ports.db, this.#stagesOf, items, options);
  }

  /** When an item, or the last item of a request, will be done: a range from how long others took, or why nobody can say. */
  async estimate(target: ItemId | RequestId): Promise<Estimate> {
    const { estimateItem, estimateRequest } = await import("./read/estimate.ts");
    const ports = { db: this.#ports.db, stagesOf: this.#stagesOf, sizeOf: this.#sizeOf };
    return typeof target === "string" && /^req_/i.test(target)
      ? await estimateRequest(ports, target)
      : await estimateItem(ports, target);
  }

  /** The same of many items, by a few statements. Those that are gone are left out. */
  async estimateEach(items: readonly ItemId[]): Promise<ReadonlyMap<ItemId, Estimate>> {
    const { estimateItems } = await import("./read/estimate.ts");
    return await estimateItems({ db: this.#ports.db, stagesOf: this.#stagesOf, sizeOf: this.#sizeOf }, items);
  }

  /** How each stage of each pipeline version fares: who stands where, what became of them, how long they took. */
  async figures(): Promise<StageFigures[]> {
    return await (await import("./read/figures.ts")).readFigures(this.#ports.db);
  }

  /** How many requests stand how: of the newest 5,000, and of those that the newest 20,000 live items belong to. */
  async requestFigures(): Promise<RequestFigures[]> {
    const { readRequestFigures } = await import("./read/request-figures.ts");
    return await inOrder(this.#ports.db, readRequestFigures);
  }

  /** How long calls to services took since the installation began, by whom they were for. */
  async callLengths(): Promise<CallLengths[]> {
    return await (await import("./read/measures.ts")).readCallLengths(this.#ports.db);
  }

  /** How many visits went on from a checkpoint since the installation began. */
  async resumes(): Promise<Resumes[]> {
    return await (await import("./read/measures.ts")).readResumes(this.#ports.db);
  }

  /** Which pipelines have work that goes through which service. */
  async serviceUsers(): Promise<ServiceUser[]> {
    return await (await import("./read/measures.ts")).readServiceUsers(this.#ports.db);
  }

  /** When items began, in which trace, and whether they are parts of others. Those that are gone are left out. */
  async origins(items: readonly ItemId[]): Promise<ReadonlyMap<ItemId, Origin>> {
    return await (await import("./read/origins.ts")).readOrigins(this.#ports.db, items);
  }

  /** A pipeline's stages as its code has them; undefined where this process was not given that version. */
  stagesOf(pipeline: { readonly name: string; readonly version: number }): readonly StageFacts[] | undefined {
    return this.#stagesOf(pipeline);
  }

  /** How each pipeline fares, all versions and stages together; of one owner's items, where one is named. */
  async standing({ owner }: { readonly owner?: string | undefined } = {}): Promise<PipelineStanding[]> {
    return await (await import("./read/standing.ts")).readStanding(this.#ports.db, owner);
  }

  /** What has stood still for an hour without a reason that passes; of one owner, where one is named. */
  async stuck({ owner }: { readonly owner?: string | undefined } = {}): Promise<StuckItem[]> {
    return await (await import("./read/stuck.ts")).readStuck(this.#ports.db, this.#stagesOf, owner);
  }

  /** How work flows right now: what is due where, what became of the last attempts, what stalled, who is gone. */
  async pulse(): Promise<Pulse> {
    return await (await import("./read/pulse.ts")).readPulse(this.#ports.db);
  }

  /** Whether the engine keeps its own rules: each with what breaks it, and what to do. */
  async doctor(): Promise<Diagnosis> {
    return await (await import("./read/doctor.ts")).examine(this.#ports.db);
  }

  /** Everything that happened to an item, oldest first, a page at a time. */
  async history(item: ItemId, options: HistoryOptions = {}): Promise<HistoryPage> {
    return await history(this.#ports.db, item, options);
  }

  /** What its visits noted with `visit.log`, oldest first; of the newest twenty unless a limit says otherwise. */
  async logs(item: ItemId, options: LogsOptions = {}): Promise<VisitNotes[]> {
    return await readLogs(this.#ports.db, item, options);
  }

  /** Events as they happen, each once and in order. Give the last one's cursor back as `after` to go on from there. */
  feed(options: FeedOptions = {}): AsyncIterableIterator<SluiceEvent> {
    return feed({ ...this.#ports, onMoved: (listener) => this.#wakeUp.add(listener) }, options);
  }

  /** One page of the feed; `feed` is these without an end. */
  async events(wanted: EventsWanted = {}): Promise<EventPage> {
    return await readEvents(this.#ports, wanted);
  }

  /** What is being worked on, look by look: visits that began and progress, which no event tells of. */
  live(): LiveItems {
    return new LiveItems(this.#ports.db, this.#stagesOf);
  }

  /** The end of the feed as it is now, for `after`: for those who want to know only what happens from here on. */
  async feedEnd(): Promise<string> {
    return await newestCursor(this.#ports);
  }

  /** Whether events wait behind a transaction that does not end, whose it is, and for how long it has been running. */
  async feedLag(): Promise<FeedLag> {
    return await feedLag(this.#ports.db);
  }
}
