// How a film or an episode stands at each of its servers: pending, delivered or failed. Pure.

import type { ItemId } from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import type { TargetPartRow } from "./target-states.sql.ts";

export interface TargetState {
  readonly server: string;
  readonly encoding: string | null;
  readonly state: "pending" | "delivered" | "failed";
  /** Of what is sent, in percent. */
  readonly progress: number;
  readonly code: string | null;
  readonly sentence: string | null;
  /** Below the server's root. */
  readonly path: string | null;
  readonly bytes: number | null;
  readonly sentBytes: number | null;
  readonly mediaServer: { readonly ok: boolean; readonly sentence: string | null } | null;
  readonly at: Date | null;
  readonly part: ItemId | null;
}

/** What a part of `deliver` or `publish` was given, and what came of it, as far as people see it. */
interface Told {
  readonly encoding?: string | null;
  readonly to?: string | null;
  readonly isWhole?: boolean;
  readonly path?: string;
  readonly bytes?: number;
  readonly sentBytes?: number;
  readonly isPublished?: boolean;
  readonly told?: { readonly ok: boolean | null; readonly sentence: string | null };
}

const [LIVE, DONE] = [0, 1];

export interface TargetFacts {
  /** All that the request names. */
  readonly targets: readonly { readonly name: string; readonly encoding: string | null }[];
  /** Of one item. */
  readonly parts: readonly TargetPartRow[];
  /** Of the item. What is not delivered when it is over will not be. */
  readonly end: "live" | "done" | "lost";
}

export function targetStates({ targets, parts, end }: TargetFacts): TargetState[] {
  const named = new Map(targets.map(({ name, encoding }) => [name, encoding]));
  // What was handed in past the routes has targets of its own.
  for (const { name, input } of parts) if (!named.has(name)) named.set(name, told(input).encoding ?? null);
  return [...named].map(([server, encoding]) => {
    const own = parts.filter(({ name }) => name === server);
    const sent = own.find(({ stage }) => stage === "deliver");
    const published = own.find(({ stage }) => stage === "publish");
    return stateOf({ server, encoding, sent, published, end });
  });
}

interface OneTarget {
  readonly server: string;
  readonly encoding: string | null;
  readonly sent: TargetPartRow | undefined;
  readonly published: TargetPartRow | undefined;
  readonly end: TargetFacts["end"];
}

function stateOf({ server, encoding, sent, published, end }: OneTarget): TargetState {
  const last = published ?? sent;
  const { to = null } = told(sent?.input);
  const came = { ...told(sent?.output), ...told(published?.output) };
  // All or nothing: what one had is withdrawn where another could not have it.
  const isKept = end !== "lost" || told(sent?.input).isWhole !== true;
  const isDelivered = last?.state === DONE && came.isPublished === true && isKept;
  const state = isDelivered ? "delivered" : isFailed(last, end !== "live") ? "failed" : "pending";
  const announced = came.told;
  return {
    ...{ server, encoding, state, path: came.path ?? to, bytes: came.bytes ?? null },
    progress: sent?.state === DONE ? 100 : state === "pending" ? (sent?.progress ?? 0) : 0,
    code: isDelivered ? null : (last?.code ?? (state === "failed" ? "ITEM_OVER" : null)),
    sentence: isDelivered
      ? null
      : (last?.message ?? (state === "failed" ? "Its film or episode has ended without it." : null)),
    sentBytes: came.sentBytes ?? null,
    mediaServer:
      announced === undefined || announced.ok === null ? null : { ok: announced.ok, sentence: announced.sentence },
    at: state === "pending" ? null : (last?.ended_at ?? null),
    part: last === undefined ? null : formatId("item", last.id),
  };
}

/** What was only sent waits for the others, unless its item is over. */
const isFailed = (last: TargetPartRow | undefined, isOver: boolean): boolean =>
  last === undefined || last.state === DONE || last.state === LIVE ? isOver : true;

// As the stages hand it on.
const told = (value: unknown): Told => (value ?? {}) as Told;
