// What only this process knows and the journal does not tell: how long its calls to services took, and how often a visit went on
// from a checkpoint. Added up in memory and written now and then, a few rows for thousands of calls.

import { type Clock, type Logger, type Loop, loop, type Service, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { lengthOf } from "../explain/lengths.ts";
import { addMeasures, type Measure } from "./measures.sql.ts";

/** Where in which pipeline; `Place` is one. */
export interface MeasuredPlace {
  readonly pipelineId: number;
  readonly index: number;
}

export interface MeasurePorts {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

const WRITE_EVERY_MS = 5_000;
/** Stages × services × lengths; what would be more is not worth the memory while the database is away. */
const ROWS_MOST = 5_000;

export class Measures implements Service {
  readonly #ports: MeasurePorts;
  readonly #loop: Loop;
  #rows = new Map<string, Measure>();

  constructor(ports: MeasurePorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("measures.unwritten", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, WRITE_EVERY_MS, () => this.#write(), failed);
  }

  async start(): Promise<void> {
    await this.#loop.start();
  }

  /** What was counted last is written, unless the database is away: nothing but a number depends on it. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch((error: unknown) => {
      this.#ports.log.warn("measures.unwritten", { error: safeText(error, 300) });
    });
  }

  /** However it ended. Without a place it was for nobody's stage. */
  called(service: string, place: MeasuredPlace | undefined, ms: number): void {
    this.#add({ kind: "call", ...spotOf(place), service, length: lengthOf(ms) }, ms);
  }

  /** A visit found what an earlier one had saved. */
  resumed(place: MeasuredPlace): void {
    this.#add({ kind: "resume", ...spotOf(place), service: "", length: 0 }, 0);
  }

  #add(one: Omit<Measure, "times" | "ms">, ms: number): void {
    const key = `${one.kind} ${one.pipeline} ${one.stage} ${one.length} ${one.service}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      known.times += 1;
      known.ms += ms;
    } else if (this.#rows.size < ROWS_MOST) this.#rows.set(key, { ...one, times: 1, ms });
  }

  async #write(): Promise<void> {
    if (this.#rows.size === 0) return;
    const rows = this.#rows;
    this.#rows = new Map();
    try {
      await addMeasures(this.#ports.db, [...rows.values()]);
    } catch (error) {
      this.#putBack(rows);
      throw error;
    }
  }

  /** A reply that was lost counts twice: too much by a few seconds' calls, where dropping them would be too little. */
  #putBack(rows: ReadonlyMap<string, Measure>): void {
    for (const [key, row] of rows) {
      const since = this.#rows.get(key);
      if (since === undefined) this.#rows.set(key, row);
      else {
        since.times += row.times;
        since.ms += row.ms;
      }
    }
  }
}

function spotOf(place: MeasuredPlace | undefined): Pick<Measure, "pipeline" | "stage"> {
  return { pipeline: place?.pipelineId ?? 0, stage: place?.index ?? 0 };
}
