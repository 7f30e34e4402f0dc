// The engine as others use it: what can be asked of an open Sluice. Everything here is a thin door to a room.

import {
  checkJson,
  InputError,
  type ItemId,
  parseId,
  type QuestionId,
  type RequestId,
  safeText,
} from "../kit/index.ts";
import { type CallerTransaction, joinTransaction } from "./db/caller-transaction.ts";
import type { Database } from "./db/database.ts";
import { installationName } from "./db/installation.sql.ts";
import { persistently } from "./db/persistently.ts";
import type { EnginePorts } from "./engine-ports.ts";
import type { SluiceEvent } from "./events/event.ts";
import { type FeedOptions, feed } from "./events/feed.ts";
import { openFeed } from "./events/feed-epoch.ts";
import { type HistoryPage, history } from "./events/history.ts";
import { ensurePartitions } from "./events/partition.sql.ts";
import { type FeedLag, feedLag, newestCursor } from "./events/read-events.ts";
import type { Explanation } from "./explain/explanation.ts";
import { VALUE_BYTES } from "./intake/limits.ts";
import { checkSubmission, type SubmitOptions, type Submitted, submit } from "./intake/submit.ts";
import { keepSignal, wakeSignalled } from "./items/wake.sql.ts";
import { answer } from "./operate/answer.ts";
import { cancelItems, cancelRequest } from "./operate/cancel.ts";
import { checkActor, checkNote, checkScope, checkServiceName, checkSignalKey } from "./operate/checks.ts";
import { retry, unlessKeyTaken } from "./operate/retry.ts";
import { retryParts } from "./operate/retry-parts.ts";
import { listValves, setValve, type ValveRow, type ValveScope } from "./operate/valve.sql.ts";
import type { AnyPipeline, Pipeline } from "./pipeline/pipeline.ts";
import { explainItem } from "./read/explain-item.ts";
import type { ItemView } from "./read/item.ts";
import { type OpenQuestion, readQuestions } from "./read/questions.ts";
import type { RequestView } from "./read/request.ts";
import { type RequestResult, Results } from "./read/results.ts";
import { type ServiceState, serviceState } from "./read/service.ts";
import { checkNow, listServices } from "./services/service.sql.ts";
import { cleanupPipeline } from "./workers/cleanup.ts";
import { Life } from "./workers/life.ts";
import { CLEANUP, Registry } from "./workers/registry.ts";
import { type ReportedEnd, reportEnd } from "./workers/report-end.ts";
import { WakeUp } from "./workers/wake-up.ts";

export interface RequestHandle extends Submitted {
  /** Resolves when every item has ended, however it ended. */
  result(options?: { readonly signal?: AbortSignal }): Promise<RequestResult>;
}

export type ActionResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export class Sluice {
  readonly #ports: EnginePorts;
  readonly #registry: Registry;
  readonly #wakeUp: WakeUp;
  readonly #results: Results;
  readonly #life: Life | undefined;
  readonly #onClosed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  private constructor(ports: EnginePorts, registry: Registry, installation: string, onClosed: () => Promise<void>) {
    this.#ports = ports;
    this.#registry = registry;
    this.#onClosed = onClosed;
    this.#wakeUp = new WakeUp(ports);
    this.#results = new Results(ports.db, ports.clock, ports.log);
    const { worker } = ports;
    this.#life =
      worker === undefined
        ? undefined
        : new Life(
            { ...ports, ...worker, clients: ports.services ?? {}, registry, installation, wakeUp: this.#wakeUp },
            worker,
          );
  }

  /** Registers the pipelines and starts everything. Most callers want `openSluice`. */
  static async start(
    ports: EnginePorts,
    pipelines: readonly AnyPipeline[],
    onClosed = async () => {},
  ): Promise<Sluice> {
    await openFeed(ports.db, ports.random);
    await ensurePartitions(ports.db);
    const registry: Registry = await Registry.register(
      ports.db,
      withCleanup(pipelines, ports.db, () => registry),
    );
    const sluice = new Sluice(ports, registry, await installationName(ports.db, ports.random), onClosed);
    await sluice.#wakeUp.start();
    sluice.#wakeUp.add(() => sluice.#results.wake());
    await sluice.#results.start();
    await sluice.#life?.start();
    return sluice;
  }

  /** Hands in work. One call is one request; it is stored when this resolves, and never lost from then on. */
  async submit<Asked>(
    pipeline:
      | Pipeline<Asked, never, never>
      | Pipeline<Asked, unknown, unknown>
      | { readonly name: string; readonly version: number; readonly "~types": { readonly asked: Asked } },
    inputs: readonly NoInfer<Asked>[],
    options: SubmitOptions & { readonly tx?: CallerTransaction } = {},
  ): Promise<RequestHandle> {
    const first = typeof pipeline?.name === "string" ? this.#registry.placesOf(pipeline)?.[0] : undefined;
    if (first === undefined) {
      const named = safeText(`${pipeline?.name}@${pipeline?.version}`, 100);
      throw new InputError("pipeline", `pipeline ${named} was not given to openSluice`);
    }
    const submission = await checkSubmission(first, inputs, options, this.#ports.clock);
    const tx = options.tx === undefined ? undefined : joinTransaction(options.tx);
    const { request, items, joined } = await submit(this.#ports.db, submission, this.#ports.random, tx);
    this.#wakeUp.moved();
    // Without asking whether it exists: in a transaction of the caller's it does not yet.
    const result: RequestHandle["result"] = (given) => this.#results.of(parseId("request", request), given?.signal);
    return { request, items, joined, result };
  }

  /** Resolves when every item of the request has ended. */
  async result(request: RequestId, options: { readonly signal?: AbortSignal } = {}): Promise<RequestResult> {
    const id = parseId("request", request, "request");
    await this.#results.expect(id);
    return await this.#results.of(id, options.signal);
  }

  /** Ends an item, or all items of a request, that have not ended yet. A worker busy with one is told, and refused. */
  async cancel(target: ItemId | RequestId, by = "api"): Promise<ActionResult> {
    const { db } = this.#ports;
    const actor = checkActor(by);
    const cancelled = await persistently(() =>
      typeof target === "string" && /^req_/i.test(target)
        ? cancelRequest(db, parseId("request", target, "request"), actor)
        : cancelItems(db, [parseId("item", target, "item")], actor),
    );
    this.#wakeUp.moved();
    return cancelled.length > 0
      ? { ok: true }
      : { ok: false, reason: "nothing to cancel: it has ended already, or does not exist" };
  }

  /** Begins a new series of attempts for a failed item, at the stage where it failed. */
  async retry(item: ItemId, by = "api"): Promise<ActionResult> {
    const reason = await retry(this.#ports.db, parseId("item", item, "item"), checkActor(by));
    if (reason !== undefined) return { ok: false, reason };
    this.#wakeUp.moved();
    return { ok: true };
  }

  /** Begins a new series for every failed part of an item, and for nothing else. `retry` with a part's id does so for one. */
  async retryParts(item: ItemId, by = "api"): Promise<ActionResult> {
    const id = parseId("item", item, "item");
    const actor = checkActor(by);
    const reason = await unlessKeyTaken(() => retryParts(this.#ports.db, id, actor));
    if (reason !== undefined) return { ok: false, reason };
    this.#wakeUp.moved();
    return { ok: true };
  }

  /** Answers a question that an item waits with. The first answer counts. */
  async answer(question: QuestionId, given: unknown, by = "api"): Promise<ActionResult> {
    const id = parseId("question", question, "question");
    if (!(await answer(this.#ports.db, id, given, checkActor(by))))
      return { ok: false, reason: "the question was answered or withdrawn already, or does not exist" };
    this.#wakeUp.moved();
    return { ok: true };
  }

  /** What people are asked right now, oldest first; of one item where one is named. */
  async questions(item?: ItemId): Promise<OpenQuestion[]> {
    return await readQuestions(this.#ports.db, item);
  }

  /** Tells whoever waits for this key. Kept until somebody does. */
  async signal(key: string, payload: unknown = null): Promise<void> {
    checkSignalKey(key);
    await keepSignal(this.#ports.db, key, checkJson(payload, { field: "payload", maxBytes: VALUE_BYTES }));
    await wakeSignalled(this.#ports.db, key);
    this.#wakeUp.moved();
  }

  /** Holds everything in a pipeline, a version or a stage of it. One row, however many items wait behind it. */
  async pause(scope: ValveScope, options: { readonly note?: string; readonly by?: string } = {}): Promise<void> {
    await setValve(this.#ports.db, {
      kind: "pause",
      scope: checkScope(scope),
      closed: true,
      note: checkNote(options.note),
      actor: checkActor(options.by ?? "api"),
    });
    this.#wakeUp.moved();
  }

  async resume(scope: ValveScope, options: { readonly by?: string } = {}): Promise<void> {
    await setValve(this.#ports.db, {
      kind: "pause",
      scope: checkScope(scope),
      closed: false,
      note: null,
      actor: checkActor(options.by ?? "api"),
    });
    this.#wakeUp.moved();
  }

  async valves(): Promise<ValveRow[]> {
    return await listValves(this.#ports.db);
  }

  /** How the services stand that any pipeline uses. */
  async services(): Promise<ServiceState[]> {
    return (await listServices(this.#ports.db)).map(serviceState);
  }

  /** Has a service that is down looked at now, instead of when its time comes. */
  async checkService(name: string, by = "api"): Promise<ActionResult> {
    if (await checkNow(this.#ports.db, checkServiceName(name), checkActor(by))) return { ok: true };
    return { ok: false, reason: "the service is not down, or no pipeline uses one of that name" };
  }

  /** How an item stands, with its input and what its stages handed on. */
  async item(id: ItemId): Promise<ItemView> {
    return await (await import("./read/item.ts")).readItem(this.#ports.db, this.#stagesOf, id);
  }

  /** How a request stands: counts, status and progress, derived from its items. */
  async request(id: RequestId): Promise<RequestView> {
    return await (await import("./read/request.ts")).readRequest(this.#ports.db, this.#stagesOf, id);
  }

  /** Why an item is where it is, since when, until when, and what can be done, in a sentence. */
  async explain(item: ItemId): Promise<Explanation> {
    return await explainItem(this.#ports.db, this.#stagesOf, item);
  }

  /** Everything that happened to an item, oldest first, a page at a time. */
  async history(
    item: ItemId,
    options: { readonly after?: string; readonly limit?: number } = {},
  ): Promise<HistoryPage> {
    return await history(this.#ports.db, item, options);
  }

  /**
   * A webhook or callback says that an outside job has ended; `key` is the one it was started with. False when nothing is
   * watched under it: it has ended already, was cancelled, or was only just started. The next look finds out anyway.
   */
  async reportEnd(key: string, end: ReportedEnd): Promise<boolean> {
    if (typeof key !== "string" || key === "")
      throw new InputError("key", "reportEnd needs the key of the outside job");
    if (end?.state !== "done" && end?.state !== "failed")
      throw new InputError("state", `an outside job ends as "done" or "failed", got ${safeText(end?.state, 80)}`);
    const isNews = await persistently(() => reportEnd(this.#ports.db, this.#registry, key, end));
    if (isNews) this.#wakeUp.moved();
    return isNews;
  }

  /** Events as they happen, each once and in order. Give the last one's cursor back as `after` to go on from there. */
  feed(options: FeedOptions = {}): AsyncIterableIterator<SluiceEvent> {
    return feed({ ...this.#ports, onMoved: (listener) => this.#wakeUp.add(listener) }, options);
  }

  /** The end of the feed as it is now, for `after`: for those who want to know only what happens from here on. */
  async feedEnd(): Promise<string> {
    return await newestCursor(this.#ports);
  }

  /** Whether events wait behind a transaction that does not end, whose it is, and for how long it has been running. */
  async feedLag(): Promise<FeedLag> {
    return await feedLag(this.#ports.db);
  }

  readonly #stagesOf = (pipeline: { readonly name: string; readonly version: number }) =>
    this.#registry.placesOf(pipeline)?.map((place) => place.stage);

  /** Items this process is working on right now. */
  get busy(): number {
    return this.#life?.busy ?? 0;
  }

  /** Stops claiming, waits for visits as long as the grace lasts, hands the rest back. Safe to call twice. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await this.#life?.stop(this.#ports.worker?.graceMs ?? 0);
    await this.#results.stop();
    await this.#wakeUp.stop();
    await this.#onClosed();
  }
}

/** The engine's own pipeline, where anything happens outside that may have to be removed. */
function withCleanup(
  pipelines: readonly AnyPipeline[],
  db: Database,
  registry: () => Registry,
): readonly AnyPipeline[] {
  if (pipelines.some((pipeline) => pipeline.name === CLEANUP))
    throw new InputError("pipelines", `the name "${CLEANUP}" is the engine's own; give the pipeline another one`);
  const isOutside = pipelines.some((pipeline) => pipeline.stages.some((stage) => stage.outside !== undefined));
  return isOutside ? [...pipelines, cleanupPipeline({ db, registry })] : pipelines;
}
