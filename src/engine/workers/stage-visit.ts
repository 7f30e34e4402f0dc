// What a stage's code is given. Made for every visit, so everything that costs something is made when it is asked for.

import { type Clock, checkJson, formatId, InputError, type Logger } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import type { Around } from "../pipeline/around.ts";
import type { Service } from "../pipeline/service.ts";
import type { Because, Visit } from "../pipeline/stage.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Gathering } from "./gathering.ts";
import type { Held } from "./held.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import type { Interrupt } from "./interrupt.ts";
import type { ServiceRule } from "./known-services.ts";
import type { Threads } from "./threads.ts";
import { type LogLevel, VisitLog } from "./visit-log.ts";

export interface VisitPorts {
  /** Around every visit of an author's pipeline, the outermost first. */
  readonly around: readonly Around[];
  /** Where visits meet whose handler takes many. */
  readonly gathering: Gathering;
  /** Where handlers that compute run. */
  readonly threads: Threads;
  readonly deadlines: Deadlines;
  /** Monotonic, for how long into the visit something was noted. */
  readonly clock: Pick<Clock, "monotonic">;
  /** In front of every key, so that what the other side has of ours is told from what others have there. */
  readonly installation: string;
  /** Behind the service's breaker, rate and report. */
  call<Result>(
    held: Held,
    service: string | ServiceRule,
    work: (client: unknown) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  saveCheckpoint(held: Held, value: string): Promise<void>;
  reportProgress(held: Held, percent: number): void;
  /** Its log has something new. */
  noted(held: Held): void;
}

export class StageVisit implements Visit {
  readonly input: unknown;
  /** The stage's own types know what it is. */
  readonly part: undefined;
  readonly attempt: number;
  readonly because: Because;
  readonly #held: Held;
  readonly #interrupt: Interrupt;
  readonly #ports: VisitPorts;
  // What it is about, as it is now: the item moves on while the code of an earlier visit may still run.
  readonly stage: string;
  readonly pipeline: string;
  readonly #series: number;
  #out: Record<string, unknown> | undefined;

  constructor(held: Held, interrupt: Interrupt, ports: VisitPorts) {
    this.input = held.parent === undefined ? held.row.input : held.parent.input;
    this.part = (held.row.part === null ? undefined : held.row.input) as undefined;
    this.attempt = held.attempts + 1;
    this.because = held.because;
    this.#held = held;
    this.#interrupt = interrupt;
    this.#ports = ports;
    this.stage = held.place.stage.name;
    this.pipeline = held.place.pipeline.name;
    this.#series = held.series;
  }

  get out(): Record<string, unknown> {
    this.#out ??= Object.fromEntries(this.#held.outputs.entries());
    return this.#out;
  }

  /** The same visit for gates on leaving: they see this stage's output as well. */
  leavingWith(output: unknown): Visit {
    const leaving = new StageVisit(this.#held, this.#interrupt, this.#ports);
    leaving.#out = { ...this.out, [this.stage]: output };
    return leaving;
  }

  get item(): Visit["item"] {
    const { id, request_id, owner } = this.#held.row;
    return { id: formatId("item", id), request: formatId("request", request_id), owner };
  }

  get trace(): string | undefined {
    return this.#held.row.trace ?? undefined;
  }

  /** Of this visit alone: what its code says after it is over concerns nobody. */
  get log(): Logger {
    const held = this.#held;
    const note = (level: LogLevel) => (text: string, facts?: Record<string, unknown>) => {
      if (this.#interrupt.aborted) return;
      held.log ??= new VisitLog();
      held.log.add(Math.round(this.#ports.clock.monotonic() - held.beganAt), level, text, facts);
      this.#ports.noted(held);
    };
    return { info: note("info"), warn: note("warn"), error: note("error") };
  }

  get key(): string {
    const { nonce, input } = this.#held.row;
    return idempotencyKey(this.#ports.installation, [nonce, this.stage, this.#series, input]);
  }

  /** A function of its own, because authors take it out of the visit. */
  get call(): Visit["call"] {
    return async <Client, Result>(service: Service<Client>, work: (client: Client) => Promise<Result>) => {
      if (this.#interrupt.aborted) throw this.#interrupt.reason;
      // Which client was given under which name, the compiler cannot see.
      const loose = work as (client: unknown) => Promise<Result>;
      return await this.#ports.call(this.#held, service as ServiceRule, loose, this.signal);
    };
  }

  get signal(): AbortSignal {
    return this.#interrupt.signal;
  }

  get checkpoint(): Visit["checkpoint"] {
    const held = this.#held;
    return {
      get value() {
        return held.checkpoint;
      },
      save: (value) => this.#save(value),
    };
  }

  async #save(value: unknown): Promise<void> {
    const json = checkJson(value, { field: "checkpoint", maxBytes: VALUE_BYTES });
    if (this.#interrupt.aborted) throw this.#interrupt.reason;
    await this.#ports.saveCheckpoint(this.#held, json);
    this.#held.checkpoint = JSON.parse(json);
  }

  /** A function of its own, because authors take it out of the visit. */
  get progress(): (percent: number) => void {
    return (percent) => {
      if (typeof percent !== "number")
        throw new InputError("progress", `progress must be a number, got ${typeof percent}`);
      // Outside programs report NaN, -1 and 103; none of that is worth failing for.
      if (Number.isNaN(percent) || this.#interrupt.aborted) return;
      this.#ports.reportProgress(this.#held, Math.min(100, Math.max(0, percent)));
    };
  }
}
