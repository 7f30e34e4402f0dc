// What the client was told against what stands in the database: nothing acknowledged is missing, nothing refused is there,
// nothing is there twice, and everything has ended.

import { ITEM_STATE } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import type { Action, Evidence, Finding, ItemRow, Operation, ResultRead, Submission } from "./evidence.ts";

const STATES = ["live", "done", "failed", "cancelled"];

export function checkSubmissions(evidence: Evidence): Finding[] {
  const items = new Map(evidence.items.map((item) => [formatId("item", item.id) as string, item]));
  const byTag = Map.groupBy(evidence.items, (item) => item.input.tag);
  const byRequest = Map.groupBy(evidence.items, (item) => formatId("request", item.request) as string);
  return [
    ...evidence.operations.flatMap((operation) => checkOperation(operation, items, byTag, byRequest)),
    ...[...byTag].flatMap(([tag, found]) =>
      found.length > 1 ? [recordedTwice(`${tag} was stored ${found.length} times`, found[1])] : [],
    ),
    ...evidence.items.flatMap(checkEnded),
    ...checkRequests(evidence, byRequest),
  ];
}

function recordedTwice(what: string, item: ItemRow | undefined): Finding {
  return { kind: "recorded twice", what, ...(item === undefined ? {} : { item: item.id }) };
}

function checkOperation(
  operation: Operation,
  items: ReadonlyMap<string, ItemRow>,
  byTag: ReadonlyMap<string, readonly ItemRow[]>,
  byRequest: ReadonlyMap<string, readonly ItemRow[]>,
): Finding[] {
  switch (operation.op) {
    case "submit":
      return checkSubmission(operation, items, byTag);
    case "cancel":
      return checkCancel(operation, items, byRequest);
    case "retry":
      return [];
    case "result":
      return checkResult(operation, items);
  }
}

function checkSubmission(
  operation: Submission,
  items: ReadonlyMap<string, ItemRow>,
  byTag: ReadonlyMap<string, readonly ItemRow[]>,
): Finding[] {
  const { answer, tags } = operation;
  if (answer === "unknown") return [];
  if (answer === "failed") {
    return tags.flatMap((tag) => {
      const [found] = byTag.get(tag) ?? [];
      return found === undefined ? [] : [{ kind: "other", what: `${tag} was refused and is there`, item: found.id }];
    });
  }
  const missing = tags.filter((tag) => !byTag.has(tag));
  const gone = (operation.items ?? []).filter((id) => !items.has(id));
  return [...missing, ...gone].map((name) => ({ kind: "lost", what: `${name} was acknowledged and is not there` }));
}

/** Once it is acknowledged, nothing of it lives; and what it says it ended has ended as cancelled. */
function checkCancel(
  operation: Action,
  items: ReadonlyMap<string, ItemRow>,
  byRequest: ReadonlyMap<string, readonly ItemRow[]>,
): Finding[] {
  if (operation.answer !== "ok" || !operation.did) return [];
  const item = items.get(operation.target);
  if (item !== undefined) {
    if (item.state === ITEM_STATE.cancelled) return [];
    return [{ kind: "other", what: `was cancelled and ended as ${STATES[item.state]}`, item: item.id }];
  }
  const all = byRequest.get(operation.target) ?? [];
  return all.some((one) => one.state === ITEM_STATE.cancelled)
    ? []
    : [{ kind: "other", what: `request ${operation.target} was cancelled and none of its items is` }];
}

function checkResult(operation: ResultRead, items: ReadonlyMap<string, ItemRow>): Finding[] {
  return operation.items.flatMap(({ id, state }) => {
    const item = items.get(id);
    const now = STATES[item?.state ?? 0];
    // A failed one may have been retried since.
    if (state === now || state === "failed") return [];
    return [{ kind: "other", what: `was read as ${state} and is ${now}`, ...(item && { item: item.id }) }];
  });
}

function checkEnded(item: ItemRow): Finding[] {
  const isLive = item.state === ITEM_STATE.live;
  if (isLive) return [{ kind: "lost", what: `never ended${item.hasRun ? "" : ", and has no run row"}`, item: item.id }];
  return item.hasRun ? [{ kind: "other", what: "has ended and still has a run row", item: item.id }] : [];
}

function checkRequests(evidence: Evidence, byRequest: ReadonlyMap<string, readonly ItemRow[]>): Finding[] {
  const findings: Finding[] = [];
  for (const request of evidence.requests) {
    const items = byRequest.get(formatId("request", request.id)) ?? [];
    const count = (state: number) => items.filter((item) => item.state === state).length;
    const stored = [request.total, request.completed, request.failed, request.cancelled].join("/");
    const counted = [items.length, count(ITEM_STATE.done), count(ITEM_STATE.failed), count(ITEM_STATE.cancelled)].join(
      "/",
    );
    if (stored !== counted) {
      findings.push({ kind: "other", what: `request ${request.id} counts ${stored}, a recount says ${counted}` });
    }
  }
  const keys = Map.groupBy(evidence.requests, (request) => request.key);
  for (const [key, requests] of keys) {
    if (key !== null && requests.length > 1) {
      findings.push({ kind: "recorded twice", what: `key ${key} has ${requests.length} requests` });
    }
  }
  return findings;
}
