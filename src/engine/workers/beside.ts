// What a transition writes beside the run row, as a function for its transaction.

import { checkJson, formatId, InputError, type Random } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { DEFAULT_PRIORITY, VALUE_BYTES } from "../intake/limits.ts";
import { insertRequests, type NewItem } from "../intake/submit.sql.ts";
import { addQuestion, addWaiter, dropWaiter, growRequest, itemExists } from "../items/beside.sql.ts";
import { RUN_FLAG } from "../items/codes.ts";
import { fairnessOf } from "../items/fair-key.ts";
import type { Beside } from "../items/transition.ts";
import { findWaitCycle } from "../items/wait-cycle.sql.ts";
import { permanent } from "../pipeline/fault.ts";
import type { Child } from "../pipeline/outcome.ts";
import { titleFor } from "../pipeline/title.ts";
import { CommitError } from "./commit-error.ts";
import type { Held } from "./held.ts";
import { partsWriter } from "./parts-writer.ts";
import type { Registry } from "./registry.ts";

interface Sources {
  readonly registry: Registry;
  readonly random: Random;
}

/** Null when nothing has to be written beside. Throws `InputError` for what cannot be stored, before anything is written. */
export function writerOf(
  held: Held,
  beside: Beside | null,
  sources: Sources,
): ((tx: Queryable) => Promise<void>) | null {
  const hadWaiter = (held.row.flags & RUN_FLAG.hasWaiter) !== 0 && held.hops === 0;
  const write = beside === null ? null : writerFor(held, beside, sources);
  if (!hadWaiter) return write;
  // What it waited for is over, whatever comes next: left behind, an old signal would end the new wait.
  return async (tx) => {
    await dropWaiter(tx, held.row.id);
    await write?.(tx);
  };
}

function writerFor(held: Held, beside: Beside, sources: Sources): (tx: Queryable) => Promise<void> {
  switch (beside.type) {
    case "waiter":
      return beside.kind === "item"
        ? followerWriter(held, beside.key)
        : (tx) => addWaiter(tx, held.row.id, "signal", beside.key);
    case "question":
      return questionWriter(held, beside);
    case "children":
      return childrenWriter(held, beside, sources);
    case "parts":
      return partsWriter(held, beside, sources);
    case "await-parts":
      return (tx) => addWaiter(tx, held.row.id, "children", beside.request);
  }
}

/** Nothing would ever end a wait for an item that never was, for oneself, or for one that waits for this one. */
function followerWriter(held: Held, item: string): (tx: Queryable) => Promise<void> {
  const wrong = (why: string) => new CommitError("nothing to wait for", { cause: new InputError("wait.item", why) });
  if (item === held.row.id) throw new InputError("wait.item", "an item cannot wait for itself");
  return async (tx) => {
    if (!(await itemExists(tx, item))) throw wrong(`there is no item ${formatId("item", item)}`);
    await addWaiter(tx, held.row.id, "item", item);
    const circle = await findWaitCycle(tx, held.row.id);
    if (circle === undefined) return;
    const named = circle.map((id) => formatId("item", id)).join(" → ");
    const cause = permanent("WAIT_CYCLE", `these items wait for each other, and nothing would end it: ${named}`);
    throw new CommitError("a circle of waits", { cause });
  };
}

function questionWriter(held: Held, beside: Extract<Beside, { type: "question" }>): (tx: Queryable) => Promise<void> {
  const { text, options, fallback } = beside;
  const limits = { maxBytes: VALUE_BYTES };
  const question = {
    text,
    options: options === null ? null : checkJson(options, { field: "options", ...limits }),
    fallback: fallback === null ? null : checkJson(fallback.answer, { field: "fallback.answer", ...limits }),
    fallbackMs: fallback?.afterMs ?? null,
  };
  return async (tx) => {
    await addQuestion(tx, held.row.id, question);
  };
}

function childrenWriter(
  held: Held,
  beside: Extract<Beside, { type: "children" }>,
  sources: Sources,
): (tx: Queryable) => Promise<void> {
  const total = beside.children.length;
  if (beside.join) {
    const items = beside.children.map((one, index) => childItem(held, one, index, 1, sources));
    const request = { total, key: null, owner: held.row.owner, parent: held.row.id };
    return async (tx) => {
      const [first] = await insertRequests(tx, [request], items);
      if (first !== undefined) await addWaiter(tx, held.row.id, "children", first.request_id);
    };
  }
  const request = { id: held.row.request_id };
  const items = beside.children.map((one, index) => childItem(held, one, index, request, sources));
  // The last stage's settlement has counted them already, before it judged whether the request is over.
  const isCounted = held.place.index === held.place.pipeline.stages.length - 1;
  return async (tx) => {
    if (!isCounted) await growRequest(tx, held.row.request_id, total);
    await insertRequests(tx, [], items);
  };
}

function childItem(held: Held, one: Child, index: number, request: NewItem["request"], sources: Sources): NewItem {
  const field = `children[${index}]`;
  const first = sources.registry.placesOf(one.pipeline)?.[0];
  if (first === undefined) {
    throw new InputError(
      `${field}.pipeline`,
      `pipeline ${one.pipeline.name}@${one.pipeline.version} was not given to openSluice`,
    );
  }
  const input = checkJson(one.input, { field: `${field}.input`, maxBytes: VALUE_BYTES });
  return {
    request,
    pipeline: first.pipelineId,
    lane: first.lane,
    nonce: String(sources.random.token()),
    priority: one.priority ?? held.row.priority ?? DEFAULT_PRIORITY,
    delayMs: 0,
    owner: held.row.owner,
    fairness: fairnessOf(first.pipeline, held.row),
    key: null,
    deadlineMs: first.pipeline.deadlineMs ?? null,
    trace: held.row.trace,
    input,
    title: titleFor(first.pipeline, input),
  };
}
