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
import { installationName } from "./db/installation.sql.ts";
import { persistently } from "./db/persistently.ts";
import type { EnginePorts } from "./engine-ports.ts";
import { openFeed } from "./events/feed-epoch.ts";
import { ensurePartitions } from "./events/partition.sql.ts";
import { VALUE_BYTES } from "./intake/limits.ts";
import { checkSubmission, type SubmitOptions, type Submitted, submit } from "./intake/submit.ts";
import { keepSignal, wakeSignalled } from "./items/wake.sql.ts";
import { answer } from "./operate/answer.ts";
import { cancelItems, cancelRequest } from "./operate/cancel.ts";
import { checkActor, checkNote, checkScope, checkServiceName, checkSignalKey } from "./operate/checks.ts";
import { askToRemove, type RemoveOptions, type RemoveTarget } from "./operate/remove.ts";
import { retry, unlessKeyTaken } from "./operate/retry.ts";
import { retryParts } from "./operate/retry-parts.ts";
import { setValve, type ValveScope } from "./operate/valve.sql.ts";
import type { AnyPipeline, Pipeline } from "./pipeline/pipeline.ts";
import { type RequestResult, Results } from "./read/results.ts";
import { Reader } from "./reader.ts";
import { checkNow } from "./services/service.sql.ts";
import { withCleanup } from "./workers/cleanup.ts";
import { Life } from "./workers/life.ts";
import { Registry } from "./workers/registry.ts";
import { type ReportedEnd, reportEnd } from "./workers/report-end.ts";
import { WakeUp } from "./workers/wake-up.ts";

export interface RequestHandle extends Submitted {
  /** Resolves when every item has ended, however it ended. */
  result(options?: { readonly signal?: AbortSignal }): Promise<RequestResult>;
}

export type ActionResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export class Sluice extends Reader {
  readonly #ports: EnginePorts;
  readonly #registry: Registry;
  readonly #wakeUp: WakeUp;
  readonly #results: Results;
  readonly #life: Life | undefined;
  readonly #onClosed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  private constructor(ports: EnginePorts, registry: Registry, installation: string, onClosed: () => Promise<void>) {
    const wakeUp = new WakeUp(ports);
    super(ports, registry, wakeUp);
    this.#ports = ports;
    this.#registry = registry;
    this.#onClosed = onClosed;
    this.#wakeUp = wakeUp;
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

  /**
   * Removes a request, or all that was asked for under a key: cancels what is live, waits until nothing is owed outside, then
   * deletes it with everything it spawned. Until then `request()` says so.
   */
  async remove(target: RemoveTarget, options: RemoveOptions = {}): Promise<ActionResult> {
    return this.#acted(await askToRemove(this.#ports.db, target, options));
  }

  /** Begins a new series of attempts for a failed item, at the stage where it failed. */
  async retry(item: ItemId, by = "api"): Promise<ActionResult> {
    return this.#acted(await retry(this.#ports.db, parseId("item", item, "item"), checkActor(by)));
  }

  /** Begins a new series for every failed part of an item, and for nothing else. `retry` with a part's id does so for one. */
  async retryParts(item: ItemId, by = "api"): Promise<ActionResult> {
    const id = parseId("item", item, "item");
    const actor = checkActor(by);
    return this.#acted(await unlessKeyTaken(() => retryParts(this.#ports.db, id, actor)));
  }

  #acted(refusal: string | undefined): ActionResult {
    if (refusal !== undefined) return { ok: false, reason: refusal };
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

  /** Tells whoever waits for this key. Kept until somebody does. */
  async signal(key: string, payload: unknown = null): Promise<void> {
    checkSignalKey(key);
    await keepSignal(this.#ports.db, key, checkJson(payload, { field: "payload", maxBytes: VALUE_BYTES }));
    await wakeSignalled(this.#ports.db, key);
    this.#wakeUp.moved();
  }

  /** Holds everything in a pipeline, a version or a stage of it. One row, however many items wait behind it. */
  async pause(scope: ValveScope, options: { readonly note?: string; readonly by?: string } = {}): Promise<void> {
    await this.#setPause(scope, true, checkNote(options.note), options.by);
  }

  async resume(scope: ValveScope, options: { readonly by?: string } = {}): Promise<void> {
    await this.#setPause(scope, false, null, options.by);
  }

  async #setPause(scope: ValveScope, closed: boolean, note: string | null, by = "api"): Promise<void> {
    const change = { kind: "pause", scope: checkScope(scope), closed, note, actor: checkActor(by) };
    await setValve(this.#ports.db, change);
    this.#wakeUp.moved();
  }

  /** Has a service that is down looked at now, instead of when its time comes. */
  async checkService(name: string, by = "api"): Promise<ActionResult> {
    if (await checkNow(this.#ports.db, checkServiceName(name), checkActor(by))) return { ok: true };
    return { ok: false, reason: "the service is not down, or no pipeline uses one of that name" };
  }

  /**
   * A webhook or callback says that an outside job has ended; `key` is the one it was started with. False when nothing is
   * watched under it: it has ended already, was cancelled, or was only just started. The next look finds out anyway.
   */
  async reportEnd(key: string, end: ReportedEnd): Promise<boolean> {
    const isNews = await persistently(() => reportEnd(this.#ports.db, this.#registry, key, end));
    if (isNews) this.#wakeUp.moved();
    return isNews;
  }

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
