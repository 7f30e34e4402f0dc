// From a decided transition to the row that `settle` writes. Pure.

import { checkJson, InputError } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../items/codes.ts";
import type { Settlement, SettlementDetail } from "../items/settle.sql.ts";
import type { Transition } from "../items/transition.ts";
import { watchEpoch } from "../items/watch.sql.ts";
import type { Held } from "./held.ts";

/** An item and all it stores together. */
export const ITEM_BYTES = 256 * 1024;

export interface SettlementOptions {
  readonly tookMs: number;
  /** The lane of the stage it goes to; null when the item ends. */
  readonly toLane: number | null;
  readonly handOff: boolean;
}

/** Throws `InputError` for an output that cannot be stored; the caller makes a fault of it. */
export function toSettlement(held: Held, transition: Transition, options: SettlementOptions): Settlement {
  const { to } = transition;
  const ends = "end" in to;
  return {
    id: held.row.id,
    version: held.version,
    pipeline: held.row.part === null ? held.place.pipelineId : null,
    stage: held.place.index,
    kind: JOURNAL_KIND[transition.kind],
    ended: ends ? ITEM_STATE[to.end] : ITEM_STATE.live,
    toStage: ends ? null : to.stage,
    toLane: ends ? null : options.toLane,
    handOff: options.handOff,
    priority: held.row.priority,
    tookMs: Math.min(2_147_483_647, Math.max(0, Math.round(options.tookMs))),
    output: storedOutput(held, transition),
    detail: isPlain(held, transition) ? null : detailOf(held.place.lane, transition),
  };
}

/** The usual way: done at the first try, nothing to say. It needs no detail, and the statement has its values built in. */
function isPlain(held: Held, transition: Transition): boolean {
  return (
    transition.kind === "done" &&
    transition.outside === null &&
    held.attempts === 0 &&
    growthOf(transition) === 0 &&
    transition.series === held.series &&
    transition.backs === held.backs
  );
}

function detailOf(lane: number, transition: Transition): SettlementDetail {
  return {
    journal: transition.journal,
    attempts: transition.attempts,
    series: transition.series,
    backs: transition.backs,
    waits: transition.waits,
    keepBegun: transition.keepBegun,
    ...(growthOf(transition) === 0 ? {} : { grows: growthOf(transition) }),
    ...(transition.attempt === null ? {} : { attempt: transition.attempt }),
    ...(transition.delayMs === null ? {} : { delayMs: transition.delayMs }),
    ...(transition.reason === null ? {} : { reason: transition.reason }),
    ...(transition.code === null ? {} : { code: transition.code }),
    ...(transition.message === null ? {} : { message: transition.message }),
    ...outsideDetail(lane, transition),
  };
}

function outsideDetail(lane: number, { outside }: Transition): SettlementDetail {
  if (outside === null) return {};
  if ("watch" in outside) return { watch: watchEpoch(lane), ...outside.watch };
  return "keep" in outside ? { keepRef: true } : { intents: outside.leave };
}

/** How many items join the request of one that ends. One that goes on keeps the request open until they are counted. */
function growthOf({ to, beside }: Transition): number {
  return "end" in to && beside?.type === "children" && !beside.join ? beside.children.length : 0;
}

function storedOutput(held: Held, transition: Transition): string | null {
  if (transition.output === undefined) return null;
  const field = `output of ${held.place.stage.name}`;
  const json = checkJson(transition.output, { field, maxBytes: VALUE_BYTES });
  // Small outputs cannot add up to the limit, so only larger ones are weighed with the others.
  if (json.length > 1_024) {
    const together = [held.row.input, ...held.outputs.values()].reduce<number>(
      (sum, value) => sum + Buffer.byteLength(JSON.stringify(value)),
      Buffer.byteLength(json),
    );
    if (together > ITEM_BYTES) {
      throw new InputError(
        field,
        `with the ${field}, the item would be ${together} bytes; at most ${ITEM_BYTES} are stored`,
      );
    }
  }
  return json;
}
