// Which items a bulk operation is about: a plain object that names what they have in common. Pure.

import {
  checkText,
  type Duration,
  InputError,
  type ItemId,
  parseId,
  type RequestId,
  toMilliseconds,
} from "../../kit/index.ts";
import type { ItemState } from "../explain/state.ts";
import { isDueReason } from "../items/reasons.ts";

/** Every field may be left out, but not all of them. Parts of items are meant only where `ids` names them. */
export interface BulkFilter {
  readonly pipeline?: string;
  /** Of the pipeline. */
  readonly version?: number;
  /** Where it is, failed or was cancelled; where it was done, for `state: "done"`. */
  readonly stage?: string;
  /** One, or any of several. */
  readonly state?: ItemState | readonly ItemState[];
  /** Of its failure; of what lives, of its last fault. */
  readonly code?: string;
  /** What its failure, or its last fault, says has this in it, in small or capital letters. */
  readonly message?: string;
  /** The same of its title. */
  readonly title?: string;
  /** Why it waits, by its own doing. What keeps those in line is not stored with them, and refused. */
  readonly reason?: string;
  /** Whose it is; not who joined its request. */
  readonly owner?: string;
  readonly request?: RequestId;
  /** In whose lane it is; only of what lives. */
  readonly service?: string;
  /** Since it ended; of what lives, since it was submitted. */
  readonly olderThan?: Duration;
  readonly newerThan?: Duration;
  readonly ids?: readonly ItemId[];
}

/** The checked form, as it is stored. */
export interface Filter {
  readonly pipeline?: string;
  readonly version?: number;
  readonly stage?: string;
  readonly state?: readonly ItemState[];
  readonly code?: string;
  readonly message?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly owner?: string;
  readonly request?: string;
  readonly service?: string;
  readonly olderMs?: number;
  readonly newerMs?: number;
  readonly ids?: readonly string[];
}

const TEXTS = ["pipeline", "stage", "code", "message", "title", "reason", "owner", "service"] as const;
const STATES: readonly ItemState[] = ["queued", "running", "waiting", "needs-you", "done", "failed", "cancelled"];
const FIELDS: readonly string[] = [...TEXTS, "version", "state", "request", "olderThan", "newerThan", "ids"];
const TEXT_BYTES = 512;
const IDS_MOST = 10_000;

const INSTEAD_OF_DUE =
  "it is not stored with what stands in line; say where they stand, by service, stage, pipeline or state";

export function checkFilter(given: BulkFilter): Filter {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InputError("filter", "filter is an object that says which items are meant");
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const unknown = named.find(([name]) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new InputError("filter", `filter has no ${JSON.stringify(unknown[0])}`);
  if (named.length === 0) throw new InputError("filter", "an empty filter would mean every item; name what is meant");
  const filter: Record<string, unknown> = {};
  for (const name of TEXTS) if (given[name] !== undefined) filter[name] = checkText(given[name], name, TEXT_BYTES);
  if (given.reason !== undefined && isDueReason(given.reason))
    throw new InputError("reason", `no operation goes by ${given.reason}: ${INSTEAD_OF_DUE}`);
  const { version, state, request, olderThan, newerThan, ids } = given;
  if (version !== undefined) {
    if (!Number.isInteger(version) || version < 1 || version > 1_000_000)
      throw new InputError("version", `version must be a whole number from 1, got ${String(version)}`);
    filter.version = version;
  }
  if (state !== undefined) filter.state = checkStates(state);
  if (request !== undefined) filter.request = parseId("request", request, "request");
  if (olderThan !== undefined) filter.olderMs = toMilliseconds(olderThan, "olderThan");
  if (newerThan !== undefined) filter.newerMs = toMilliseconds(newerThan, "newerThan");
  if (ids !== undefined) filter.ids = checkIds(ids);
  return filter;
}

function checkStates(state: ItemState | readonly ItemState[]): ItemState[] {
  const states = [...new Set([state].flat())];
  if (states.length === 0 || states.some((one) => !STATES.includes(one)))
    throw new InputError("state", `state is one of ${STATES.join(", ")}, or a list of them`);
  return states;
}

function checkIds(ids: readonly ItemId[]): string[] {
  if (!Array.isArray(ids) || ids.length === 0) throw new InputError("ids", "ids is a list of items that is not empty");
  if (ids.length > IDS_MOST) throw new InputError("ids", `ids takes at most ${IDS_MOST} items, got ${ids.length}`);
  return [...new Set(ids.map((id, index) => parseId("item", id, `ids[${index}]`)))];
}
