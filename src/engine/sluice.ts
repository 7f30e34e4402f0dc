// The engine as others use it: what can be asked of an open Sluice. Everything here is a thin door to a room.

import { checkJson, parseId, type RequestId } from "../kit/index.ts";
import type { Database } from "./db/database.ts";
import { installationName } from "./db/installation.sql.ts";
import { persistently } from "./db/persistently.ts";
import type { EnginePorts } from "./engine-ports.ts";
import { openFeed } from "./events/feed-epoch.ts";
import { ensurePartitions } from "./events/partition.sql.ts";
import { Entrance } from "./intake/entrance.ts";
import {
  checkHandIn,
  type HandInPorts,
  handIn,
  type SubmitTarget,
  type SubmitWhere,
  type WouldSubmit,
} from "./intake/hand-in.ts";
import { VALUE_BYTES } from "./intake/limits.ts";
import { Recurring } from "./intake/recurring.ts";
import type { SubmitOptions, Submitted } from "./intake/submission.ts";
import { keepSignal, wakeSignalled } from "./items/wake.sql.ts";
import type { ActionResult } from "./operate/action-result.ts";
import { checkActor, checkServiceName, checkSignalKey } from "./operate/checks.ts";
import { Finders } from "./operate/finders.ts";
import { Schedules } from "./operate/schedules.ts";
import { nameOrphans } from "./operate/versions.ts";
import { Operator } from "./operator.ts";
import type { AnyPipeline } from "./pipeline/pipeline.ts";
import { type Comeback, followUp } from "./read/comeback.ts";
import { type RequestResult, Results } from "./read/results.ts";
import { type RetentionOptions, retentionLimits } from "./retention/limits.ts";
import { storeLimits } from "./retention/policy.sql.ts";
import { checkNow } from "./services/service.sql.ts";
import { withCleanup } from "./workers/cleanup.ts";
import { Life } from "./workers/life.ts";
import { Registry } from "./workers/registry.ts";
import { type ReportedEnd, reportEnd } from "./workers/report-end.ts";
import type { ServiceTest } from "./workers/service-test.ts";
import { WakeUp } from "./workers/wake-up.ts";

/** Beyond the time after which it is dead: to take back what it held, and to begin that again in children. */
const COMEBACK_MS = 10_000;

export interface RequestHandle extends Submitted {
  /** Resolves when every item has ended, however it ended. */
  result(options?: { readonly signal?: AbortSignal }): Promise<RequestResult>;
}

/** The database, for tables of your own beside the engine's; `prepareTables` makes them. */
export type Tables = Pick<Database, "query" | "transaction">;

export class Sluice extends Operator {
  readonly finders: Finders;
  readonly schedules: Schedules;
  readonly tables: Tables;
  readonly #ports: EnginePorts;
  readonly #registry: Registry;
  readonly #wakeUp: WakeUp;
  readonly #entrance: Entrance;
  readonly #results: Results;
  readonly #recurring: Recurring;
  readonly #life: Life | undefined;
  readonly #over = new AbortController();
  readonly #onClosed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  private constructor(ports: EnginePorts, registry: Registry, installation: string, onClosed: () => Promise<void>) {
    const wakeUp = new WakeUp(ports);
    super(ports, registry, wakeUp);
    this.#ports = ports;
    this.tables = ports.db;
    this.#registry = registry;
    this.#onClosed = onClosed;
    this.#wakeUp = wakeUp;
    this.#entrance = new Entrance({ ...ports, wakeUp, reception: () => this.#life?.reception });
    this.#results = new Results(ports, (listener) => wakeUp.add(listener));
    const { worker } = ports;
    const recurring = new Recurring(ports, registry);
    this.#recurring = recurring;
    this.finders = new Finders(ports, recurring.finders, () => wakeUp.moved());
    this.schedules = new Schedules(ports, recurring.schedules, () => wakeUp.moved());
    this.#life =
      worker === undefined
        ? undefined
        : new Life(
            { ...ports, ...worker, clients: ports.services ?? {}, registry, recurring, installation, wakeUp },
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
      ports.worker?.stages,
    );
    const sluice = new Sluice(ports, registry, await installationName(ports.db, ports.random), onClosed);
    await sluice.#recurring.register(ports);
    if (ports.worker !== undefined) await sluice.#wakeUp.start();
    await sluice.#results.start();
    await sluice.#life?.start();
    if (ports.worker !== undefined) await nameOrphans(sluice.versions, ports.log);
    return sluice;
  }

  /**
   * Hands in work. One call is one request; it is stored when this resolves, and never lost from then on. Of a pipeline that is
   * only named, `{ name: "media" }`, the rollout decides the version.
   */
  async submit<Asked>(
    pipeline: SubmitTarget<Asked>,
    inputs: readonly NoInfer<Asked>[],
    options: SubmitOptions & SubmitWhere = {},
  ): Promise<RequestHandle> {
    const { request, items, joined } = await handIn(this.#intake(), pipeline, inputs, options);
    // Without asking whether it exists: in a transaction of the caller's it does not yet.
    const result: RequestHandle["result"] = (given) => this.#results.of(parseId("request", request), given?.signal);
    return { request, items, joined, result };
  }

  /** Checks what would be handed in, as `submit` does, and stores nothing. */
  async wouldSubmit(
    pipeline: { readonly name: string; readonly version?: number | undefined },
    inputs: readonly unknown[],
    options: SubmitOptions = {},
  ): Promise<WouldSubmit> {
    return await checkHandIn(this.#intake(), pipeline, inputs, options);
  }

  #intake(): HandInPorts {
    const moved = () => this.#wakeUp.moved();
    return { ...this.#ports, registry: this.#registry, entrance: this.#entrance, moved };
  }

  /** Resolves when every item of the request has ended. */
  async result(request: RequestId, options: { readonly signal?: AbortSignal } = {}): Promise<RequestResult> {
    const id = parseId("request", request, "request");
    await this.#results.expect(id);
    return await this.#results.of(id, options.signal);
  }

  /** Tells whoever waits for this key. Kept until somebody does. */
  async signal(key: string, payload: unknown = null): Promise<void> {
    checkSignalKey(key);
    await keepSignal(this.#ports.db, key, checkJson(payload, { field: "payload", maxBytes: VALUE_BYTES }));
    await wakeSignalled(this.#ports.db, key);
    this.#wakeUp.moved();
  }

  /** Has a service that is down looked at now, instead of when its time comes. */
  async checkService(name: string, by = "api"): Promise<ActionResult> {
    if (await checkNow(this.#ports.db, checkServiceName(name), checkActor(by))) return { ok: true };
    return { ok: false, reason: "the service is not down, or no pipeline uses one of that name" };
  }

  /**
   * Calls a service now, by its probe, and tells what came back; its breaker is left as it is. Refused where this process has no
   * client of it, or its code no probe.
   */
  async testService(name: string, options: { readonly dryRun?: boolean } = {}): Promise<ServiceTest | undefined> {
    const { serviceTest } = await import("./workers/service-test.ts");
    const test = serviceTest(this.#ports, this.#registry, checkServiceName(name));
    return options.dryRun === true ? undefined : await test();
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

  /**
   * What became of what the last process of this worker's name had in hand, told once that is known; undefined where there was
   * none, or it ended in order.
   */
  async comeback(): Promise<Comeback | undefined> {
    const { former, worker } = this.#ports;
    if (former === undefined || worker === undefined) return undefined;
    return await followUp(this.#ports, former, worker.deadAfterMs + COMEBACK_MS, this.#over.signal);
  }

  /** How long things are kept that belong to no pipeline, for all processes from now on. */
  async keep(retention: RetentionOptions, options: { readonly dryRun?: boolean } = {}): Promise<void> {
    const limits = retentionLimits(retention);
    if (options.dryRun !== true) await storeLimits(this.#ports.db, limits);
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
    this.#over.abort();
    await this.#life?.stop(this.#ports.worker?.graceMs ?? 0);
    await this.#results.stop();
    await this.#wakeUp.stop();
    await this.#onClosed();
  }
}
