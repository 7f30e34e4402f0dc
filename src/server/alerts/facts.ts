// Reads the facts of a round: a few bounded statements, whatever the tables hold.

import type { Explanation, ItemId, LanePulse, Pulse, Sluice, StuckItem } from "../../engine/index.ts";
import { failingChannels } from "../channels/delivery.sql.ts";
import { type Facts, type FailingChannel, type GoneEncoder, laneName, latest, secondsSince } from "./cause.ts";
import { reportedDisks } from "./disk.sql.ts";

export interface FactPorts {
  readonly sluice: Pick<Sluice, "pulse" | "services" | "stuck" | "explain" | "tables">;
  /** Where the server has films. */
  readonly goneEncoders?: (() => Promise<readonly GoneEncoder[]>) | undefined;
}

/** Each may cost an explanation per item, and nothing becomes stuck faster. */
const STUCK_EVERY_SECONDS = 60;
const EXPLAINED_MOST = 20;
/** The shortest that the rule can be set to. */
const IDLE_SECONDS = 60;

export class FactReader {
  readonly #ports: FactPorts;
  #stuck: { readonly at: Date; readonly items: readonly StuckItem[] } | undefined;

  constructor(ports: FactPorts) {
    this.#ports = ports;
  }

  async read(): Promise<Facts> {
    const { sluice } = this.#ports;
    const pulse = await sluice.pulse();
    return {
      ...pulse,
      services: await sluice.services(),
      stuck: await this.#stuckAt(pulse.now),
      heads: await this.#heads(pulse),
      unknown: await this.#unknown(pulse.unexplained),
      disks: await reportedDisks(sluice.tables),
      failing: await this.#failing(),
      encoders: (await this.#ports.goneEncoders?.()) ?? [],
    };
  }

  async #stuckAt(now: Date): Promise<readonly StuckItem[]> {
    const known = this.#stuck;
    const age = known === undefined ? Number.POSITIVE_INFINITY : secondsSince(now, known.at);
    if (known !== undefined && age >= 0 && age < STUCK_EVERY_SECONDS) return known.items;
    this.#stuck = { at: now, items: await this.#ports.sluice.stuck() };
    return this.#stuck.items;
  }

  async #heads(pulse: Pulse): Promise<Facts["heads"]> {
    const { looked, left } = lanesToLookAt(pulse);
    const heads = new Map<string, Explanation | null>(left.map((lane) => [laneName(lane), null]));
    for (const lane of looked) {
      const [oldest] = lane.oldest;
      const why = oldest === undefined ? undefined : await this.#explain(oldest);
      if (why !== undefined) heads.set(laneName(lane), why);
    }
    return heads;
  }

  async #unknown(candidates: readonly ItemId[]): Promise<ItemId[]> {
    const unknown: ItemId[] = [];
    for (const item of candidates.slice(0, EXPLAINED_MOST))
      if ((await this.#explain(item))?.reason === "unknown") unknown.push(item);
    return unknown;
  }

  /** Undefined for an item that was removed since it was found. */
  async #explain(item: ItemId): Promise<Explanation | undefined> {
    try {
      return await this.#ports.sluice.explain(item);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #failing(): Promise<FailingChannel[]> {
    const rows = await failingChannels(this.#ports.sluice.tables);
    return rows.map(({ channel_id: id, name, since, tries, code, answer, waiting }) => ({
      ...{ id, name, since, tries, waiting },
      why: [code, answer].filter((word) => word !== null && word !== "").join(": ") || "nobody knows why",
    }));
  }
}

/** Of every pipeline the odd lane that is due longest, and of the others as many as there is time for. */
export function lanesToLookAt(pulse: Pulse): {
  readonly looked: readonly LanePulse[];
  readonly left: readonly LanePulse[];
} {
  const odd = pulse.lanes
    .filter((lane) => isOdd(pulse, lane))
    .sort((one, other) => (one.oldestAt?.getTime() ?? 0) - (other.oldestAt?.getTime() ?? 0));
  const firsts = [...Map.groupBy(odd, ({ pipeline }) => pipeline).values()].flatMap((lanes) => lanes.slice(0, 1));
  const others = odd.filter((lane) => !firsts.includes(lane));
  const more = Math.max(0, EXPLAINED_MOST - firsts.length);
  return { looked: [...firsts, ...others.slice(0, more)], left: others.slice(more) };
}

/** Something is due, nothing closes the lane, and for a while nothing of its pipeline has happened. */
function isOdd({ lanes, stages, now }: Pulse, { pipeline, due, closedBy, oldestAt }: LanePulse): boolean {
  if (due === 0 || closedBy.length > 0 || oldestAt === null) return false;
  const visits = stages.filter((stage) => stage.pipeline === pipeline).map(({ visitedAt }) => visitedAt);
  const claims = lanes.filter((lane) => lane.pipeline === pipeline).map(({ claimedAt }) => claimedAt);
  const last = latest([oldestAt, ...visits, ...claims]);
  return last !== null && secondsSince(now, last) >= IDLE_SECONDS;
}
