// All numbers for whoever scrapes: counters follow the feed from the moment the server starts, the rest is read when it is asked for
// and kept for a few seconds, so that nobody who scrapes can be a burden to the database.

import { FeedResetError, type ItemEvent, type Logger, type Sluice, type SluiceEvent } from "../../engine/index.ts";
import { type Clock, type Loop, loop, safeText } from "../../kit/index.ts";
import { addEvent } from "./add-event.ts";
import { Breakers } from "./breakers.ts";
import { type Instruments, makeInstruments } from "./instruments.ts";
import { KnownValues } from "./known-values.ts";
import { readStanding, type Standing, type StandingReader, showStanding } from "./standing.ts";
import { NONE } from "./stored-histogram.ts";

export interface MetricsPorts {
  readonly sluice: StandingReader & Pick<Sluice, "feed" | "feedEnd" | "origins" | "services">;
  readonly log: Logger;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly version: string;
}

/** Events read at once: small pages are most of the cost of following. */
const PAGE = 500;
const AGAIN_MS = 1_000;
const FRESH_MS = 5_000;
/** Events that wait for somebody to look up when their items began. */
const PENDING_MOST = 500;
const CODES_MOST = 100;
const SERVICES_MOST = 200;

export class Metrics {
  readonly #ports: MetricsPorts;
  readonly #instruments: Instruments;
  readonly #breakers = new Breakers();
  readonly #codes = new KnownValues(CODES_MOST);
  readonly #services = new KnownValues(SERVICES_MOST);
  readonly #shown = new Map<string, { activations: number; seconds: number }>();
  readonly #follow: Loop;
  /** Up to where the feed was counted. */
  #after: string | undefined;
  #pending: ItemEvent[] = [];
  #counting = Promise.resolve();
  #standing: { readonly at: number; readonly read: Promise<Standing> } | undefined;

  constructor(ports: MetricsPorts) {
    this.#ports = ports;
    this.#instruments = makeInstruments(ports.version);
    this.#follow = loop(
      ports.clock,
      AGAIN_MS,
      (stopping) => this.#followed(stopping),
      (error) => this.#failed(error),
    );
  }

  /** Counts what happens from when this resolves on. */
  async start(): Promise<void> {
    await this.#begin();
    await this.#follow.start();
  }

  async stop(): Promise<void> {
    await this.#follow.stop();
  }

  get contentType(): string {
    return this.#instruments.registry.contentType;
  }

  /** As Prometheus reads it. */
  async text(): Promise<string> {
    const standing = await this.#read();
    await this.#count();
    const serviceName = (service: string) => this.#services.of(service);
    showStanding(this.#instruments, standing, this.#ports.now(), serviceName);
    this.#showBreakers(standing.users);
    return await this.#instruments.registry.metrics();
  }

  /** Whoever asks while it is being read, or shortly after, gets the same. */
  #read(): Promise<Standing> {
    const at = this.#ports.clock.monotonic();
    if (this.#standing !== undefined && at - this.#standing.at < FRESH_MS) return this.#standing.read;
    const read = readStanding(this.#ports.sluice);
    const standing = { at, read };
    this.#standing = standing;
    read.catch(() => {
      if (this.#standing === standing) this.#standing = undefined;
    });
    return read;
  }

  async #begin(): Promise<string> {
    const { sluice, now } = this.#ports;
    const after = await sluice.feedEnd();
    for (const { name, state } of await sluice.services()) this.#breakers.begin(name, state === "down", now());
    this.#after = after;
    return after;
  }

  async #followed(signal: AbortSignal): Promise<void> {
    const after = this.#after ?? (await this.#begin());
    // No more than these wait, also where they cannot be counted.
    await this.#countMany();
    for await (const event of this.#ports.sluice.feed({ after, signal, limit: PAGE, outputs: false })) {
      this.#see(event);
      // Before anything that may fail: it is taken, and must not be taken again.
      this.#after = event.cursor;
      await this.#countMany();
    }
  }

  #failed(error: unknown): void {
    // What lies between cannot be counted any more.
    if (error instanceof FeedResetError) this.#after = undefined;
    this.#ports.log.warn("metrics.interrupted", { error: safeText(error, 300) });
  }

  #see(event: SluiceEvent): void {
    if (event.type === "service.changed") this.#turned(event);
    if (event.item !== undefined) this.#pending.push(event);
  }

  async #countMany(): Promise<void> {
    if (this.#pending.length >= PENDING_MOST) await this.#count();
  }

  #turned({ output, reason, at }: SluiceEvent): void {
    const service = output !== null && typeof output === "object" && "service" in output ? String(output.service) : "";
    if (reason === "opened") this.#breakers.opened(service, at.getTime());
    else this.#breakers.closed(service, at.getTime());
  }

  /** One at a time, so that no event is counted by two. */
  #count(): Promise<void> {
    const counting = this.#counting.then(() => this.#countPending());
    this.#counting = counting.catch(() => undefined);
    return counting;
  }

  async #countPending(): Promise<void> {
    const events = this.#pending.slice(0, 2 * PENDING_MOST);
    const asked = new Set(events.filter(isJobs).map((event) => event.item));
    const origins = await this.#ports.sluice.origins([...asked]);
    this.#pending.splice(0, events.length);
    for (const event of events) addEvent(this.#instruments, event, origins.get(event.item), this.#codes);
  }

  /** A breaker is its service's, and every pipeline that has work behind it has a series of its own with the same numbers. */
  #showBreakers(users: Standing["users"]): void {
    const { activations, openSeconds } = this.#instruments;
    for (const sums of this.#breakers.sums(this.#ports.now())) {
      const service = this.#services.of(sums.service);
      const own = users.filter((user) => user.service === sums.service);
      const whose = own.length === 0 ? [{ pipeline: NONE, version: NONE }] : own;
      for (const { pipeline, version } of whose) {
        const labels = { service, pipeline, version: String(version) };
        const key = JSON.stringify([sums.service, pipeline, version]);
        const before = this.#shown.get(key) ?? { activations: 0, seconds: 0 };
        const seconds = Math.max(before.seconds, sums.openMs / 1_000);
        activations.inc(labels, sums.activations - before.activations);
        openSeconds.inc(labels, seconds - before.seconds);
        this.#shown.set(key, { activations: sums.activations, seconds });
      }
    }
  }
}

const JOBS: ReadonlySet<string> = new Set(["item.accepted", "item.completed", "item.failed"]);

function isJobs({ type }: ItemEvent): boolean {
  return JOBS.has(type);
}
