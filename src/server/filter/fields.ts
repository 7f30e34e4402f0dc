// What the filter language knows about: its fields, and what each takes. Pure, and without anything of the server's, so that a
// page and a command line read filters as the server does.

import { toMilliseconds } from "../../kit/duration.ts";
import { formatId, idsBeginning, type RequestId } from "../../kit/ids.ts";

export interface Field {
  /** For people: what it is about. */
  readonly about: string;
  readonly example: string;
  /** Where only these will do. */
  readonly words?: readonly string[];
  /** Takes > >= < <= as well as a plain value. */
  readonly compares?: boolean;
  /** Goes on with a path: data.title:Alien. */
  readonly hasPath?: boolean;
  /** How many values it takes, where more than others. */
  readonly valuesMost?: number;
  /** Cannot be turned round with "-". */
  readonly onlyPositive?: boolean;
  /** Why a value will not do; undefined where it will. */
  readonly wrong?: (value: string) => string | undefined;
}

export type Fields = { readonly [name: string]: Field };

const wholeNumber = (least: number, most: number) => (value: string) =>
  /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most
    ? undefined
    : `a whole number from ${least} to ${most}`;

function duration(value: string): string | undefined {
  try {
    toMilliseconds(value, "age");
    return undefined;
  } catch {
    return 'a time such as "30s", "10m", "6h" or "2d"';
  }
}

const beginningOf = (kind: "item" | "request") => (value: string) =>
  idsBeginning(kind, value) === undefined ? `an id such as ${formatId(kind, 1n)}, or its beginning` : undefined;

/** With or without its zeros. */
export function wholeRequest(value: string): RequestId | undefined {
  const [first] = idsBeginning("request", value) ?? [];
  return first === undefined || first.low !== first.high ? undefined : formatId("request", first.low);
}

const requestId = (value: string) =>
  wholeRequest(value) === undefined ? `a request's id such as ${formatId("request", 1n)}` : undefined;

export const ITEM_STATES = ["queued", "running", "waiting", "needs-you", "done", "failed", "cancelled"] as const;

export const ITEM_FIELDS = {
  state: { about: "how it stands", example: "state:failed,waiting", words: ITEM_STATES },
  pipeline: { about: "its pipeline", example: "pipeline:media" },
  version: { about: "the version of its pipeline", example: "version:3", wrong: wholeNumber(1, 1_000_000) },
  stage: { about: "where it is, failed or was cancelled", example: "stage:encode" },
  service: { about: "the service it is at, or waits for", example: "service:indexer" },
  error: { about: "the code of its failure, or of its last fault", example: "error:GW_TIMEOUT" },
  reason: { about: "why it waits", example: "reason:not_available" },
  worker: { about: "the worker that holds it", example: "worker:attic" },
  owner: { about: "whose it is", example: "owner:ann" },
  key: { about: "the key it was handed in with", example: "key:tmdb:603" },
  title: { about: "what people call it: has this in it", example: "title:alien" },
  message: { about: "what its failure, or its last fault, says: has this in it", example: 'message:"no answer"' },
  data: {
    about: "what stands in its input, by the path to it",
    example: "data.title:Alien",
    hasPath: true,
    onlyPositive: true,
  },
  request: { about: "the request it belongs to", example: "request:req_0000000000001", wrong: requestId },
  kind: { about: "a whole item, or a part of one", example: "kind:item", words: ["item", "part"] },
  part: { about: "the name of the part it is", example: "part:nas-2" },
  priority: { about: "from 1 (first) to 5 (last)", example: "priority:1", wrong: wholeNumber(1, 5) },
  attempt: {
    about: "attempts used in its stage",
    example: "attempt:>2",
    compares: true,
    onlyPositive: true,
    wrong: wholeNumber(0, 100_000),
  },
  age: {
    about: "since it ended; of what lives, since it was handed in",
    example: "age:>1h",
    compares: true,
    onlyPositive: true,
    wrong: duration,
  },
  id: {
    about: "its id, or the beginning of it",
    example: "id:itm_0000000000001",
    onlyPositive: true,
    // More than a page of a list has: all that somebody ticked there.
    valuesMost: 200,
    wrong: beginningOf("item"),
  },
} as const satisfies Fields;

export const REQUEST_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "PARTIAL", "FAILED", "CANCELLED"] as const;

export const REQUEST_FIELDS = {
  status: { about: "what its items come to", example: "status:failed,partial", words: REQUEST_STATUSES },
  owner: { about: "who asked for it, among others", example: "owner:ann" },
  key: { about: "the key it was handed in with", example: "key:tmdb:603" },
  age: {
    about: "since it was handed in",
    example: "age:<1d",
    compares: true,
    onlyPositive: true,
    wrong: duration,
  },
  id: {
    about: "its id, or the beginning of it",
    example: "id:req_0000000000001",
    onlyPositive: true,
    wrong: beginningOf("request"),
  },
} as const satisfies Fields;
