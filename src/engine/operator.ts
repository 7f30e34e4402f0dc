// What a person or a program may do to items of an open Sluice. Each answers whether it was done, else with a sentence why
// not; each takes `dryRun`, which writes nothing and tells what would be done.

import { InputError, type ItemId, parseId, type QuestionId, type RequestId, SluiceError } from "../kit/index.ts";
import { persistently } from "./db/persistently.ts";
import type { EnginePorts } from "./engine-ports.ts";
import { type ActPorts, act, unlessKeyTaken } from "./operate/act.ts";
import { type ActionResult, resultOf, wouldTouch } from "./operate/action-result.ts";
import { answer } from "./operate/answer.ts";
import { Bulk } from "./operate/bulk.ts";
import { cancelRequest } from "./operate/cancel.ts";
import { checkAction } from "./operate/check-action.ts";
import { checkActor, checkNote, checkOwner, checkScope } from "./operate/checks.ts";
import { leaveRequest } from "./operate/leave.ts";
import { type Action, NOT_HELD, ordered } from "./operate/plan.ts";
import { type Possible, possible } from "./operate/possible.ts";
import { askToRemove, type RemoveOptions, type RemoveTarget, wouldRemove } from "./operate/remove.ts";
import { retryParts, wouldRetryParts } from "./operate/retry-parts.ts";
import { Switches } from "./operate/switches.ts";
import { setValve, type ValveScope } from "./operate/valve.sql.ts";
import { Versions } from "./operate/versions.ts";
import { actOnRequest } from "./operate/whole-request.ts";
import { Reader } from "./reader.ts";
import type { Registry } from "./workers/registry.ts";
import type { WakeUp } from "./workers/wake-up.ts";

export interface ActionOptions {
  /** Who does it, for the audit. */
  readonly by?: string;
  /** Nothing is written; the answer says what would be done. */
  readonly dryRun?: boolean;
  /** With the rights of this owner alone: not what would take from others what they asked for too, and not past a pause or a hold. */
  readonly asOwner?: string | undefined;
}

export interface LeaveOptions {
  readonly owner: string;
  readonly by?: string;
  readonly dryRun?: boolean;
}

export interface ReplayOptions extends ActionOptions {
  /** The stage it begins with. What earlier ones handed on is kept; from here on all is done again. */
  readonly from: string;
  /** In place, which is the default; or as a new item in a new request of the same owner. */
  readonly as?: "same" | "copy";
  /** Another version of its pipeline that has the same stages up to that one. */
  readonly onto?: number;
}

export interface SkipOptions extends ActionOptions {
  readonly reason: string;
  /** Only while it is in this stage. Without it, the same call again skips the next one. */
  readonly stage?: string;
}

export class Operator extends Reader {
  readonly #ports: ActPorts;
  readonly #wakeUp: WakeUp;
  /** The same for many items at once, by what they have in common. */
  readonly bulk: Bulk;
  /** On and off for one stage. */
  readonly switches: Switches;
  /** Versions of a pipeline side by side: rollout, hold, figures. */
  readonly versions: Versions;

  constructor(ports: EnginePorts, registry: Registry, wakeUp: WakeUp) {
    super(ports, registry, wakeUp);
    this.#ports = { db: ports.db, clock: ports.clock, random: ports.random, registry };
    this.#wakeUp = wakeUp;
    this.bulk = new Bulk(this.#ports);
    this.switches = new Switches(ports.db, () => wakeUp.moved());
    this.versions = new Versions(ports.db, () => wakeUp.moved());
  }

  /** Ends an item, or all items of a request, that have not ended yet. A worker busy with one is told, and refused. */
  async cancel(target: ItemId | RequestId, options: string | ActionOptions = {}): Promise<ActionResult> {
    const { actor, dryRun, asOwner } = checkOptions(options);
    if (!isRequest(target)) return await this.#act({ type: "cancel" }, target, { actor, dryRun, asOwner });
    const request = parseId("request", target, "request");
    if (dryRun) return await actOnRequest(this.#ports, { type: "cancel" }, request, { actor, dryRun });
    const cancelled = await persistently(() => cancelRequest(this.#ports.db, request, actor));
    return this.#moved(cancelled.length > 0 ? { ok: true } : { ok: false, reason: "nothing of it is alive" });
  }

  /** An owner cancels a request: where others asked for it too, only that owner leaves; the last one cancels it. */
  async leave(target: RequestId, { owner, ...options }: LeaveOptions): Promise<ActionResult> {
    const request = parseId("request", target, "request");
    const given = checkOptions({ by: owner, ...options });
    const leaving = await persistently(() => leaveRequest(this.#ports.db, request, checkOwner(owner), given));
    if (leaving === "last") return await this.cancel(target, options);
    if (leaving !== "left") return { ok: false, reason: leaving.refusal };
    const would = { items: 0, stage: null, keeps: [], redoes: [] };
    return given.dryRun ? { ok: true, left: true, would } : { ok: true, left: true };
  }

  /**
   * Removes a request, or all that was asked for under a key: cancels what is live, waits until nothing is owed outside, then
   * deletes it with everything it spawned. Until then `request()` says so.
   */
  async remove(target: RemoveTarget, options: RemoveOptions = {}): Promise<ActionResult> {
    if (options.dryRun === true) return wouldTouch(await wouldRemove(this.#ports.db, target));
    return this.#moved(resultOf(await askToRemove(this.#ports.db, target, options)));
  }

  /** Begins a new series of attempts for a failed item, at the stage where it failed. */
  async retry(item: ItemId, options: string | ActionOptions = {}): Promise<ActionResult> {
    return await this.#act({ type: "retry" }, item, checkOptions(options));
  }

  /** Begins a new series for every failed part of an item, and for nothing else. `retry` with a part's id does so for one. */
  async retryParts(item: ItemId, options: string | ActionOptions = {}): Promise<ActionResult> {
    const id = parseId("item", item, "item");
    const { actor, dryRun } = checkOptions(options);
    if (dryRun) return wouldTouch(await wouldRetryParts(this.#ports.db, id));
    const result = await unlessKeyTaken(async () => {
      const reason = await retryParts(this.#ports.db, id, actor);
      return reason === undefined ? { ok: true } : { ok: false, reason };
    });
    return this.#moved(result ?? { ok: true });
  }

  /** Does an item again from a stage on, in place or as a copy. */
  async replay(item: ItemId, { from, as = "same", onto, ...options }: ReplayOptions): Promise<ActionResult> {
    return await this.#act({ type: "replay", from, as, onto }, item, checkOptions(options));
  }

  /** Leaves out the stage an item waits in: it goes on to the next, or is done. Also for one part. */
  async skip(item: ItemId, { reason, stage, ...options }: SkipOptions): Promise<ActionResult> {
    return await this.#act({ type: "skip", reason, stage }, item, checkOptions(options));
  }

  /** Takes an item from the worker that holds it. It queues again, nothing is counted, and what the worker brings is refused. */
  async takeBack(item: ItemId, options: string | ActionOptions = {}): Promise<ActionResult> {
    return await this.#act({ type: "take-back" }, item, checkOptions(options));
  }

  /** From 1 (first) to 5 (last); of a request, for all of its items that have not ended. */
  async setPriority(
    target: ItemId | RequestId,
    priority: number,
    options: string | ActionOptions = {},
  ): Promise<ActionResult> {
    const given: Action = { type: "set-priority", priority };
    if (!isRequest(target)) return await this.#act(given, target, checkOptions(options));
    const request = parseId("request", target, "request");
    return this.#moved(await actOnRequest(this.#ports, checkAction(given), request, checkOptions(options)));
  }

  /** Lets one queued item through a closed switch, pause or hold, for one visit and what it starts outside. */
  async runOnce(item: ItemId, options: string | ActionOptions = {}): Promise<ActionResult> {
    const result = await this.#act({ type: "run-once" }, item, checkOptions(options));
    if (result.ok || result.reason !== NOT_HELD) return result;
    // Of one item there is room to say what does keep it.
    const { sentence, discreetSentence } = await this.explain(item);
    const isOwners = typeof options === "object" && options.asOwner !== undefined;
    return { ok: false, reason: `${NOT_HELD}. ${isOwners ? discreetSentence : sentence}` };
  }

  /** Everything that can be done to an item: null where it can be done now, else why not, as the dry runs would say. */
  async possible(item: ItemId, options: Omit<ActionOptions, "dryRun"> = {}): Promise<Possible> {
    const { actor, asOwner } = checkOptions(options);
    const found = await possible(this.#ports, parseId("item", item, "item"), { actor, asOwner });
    if (found === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
    return found;
  }

  /** Holds everything in a pipeline, a version or a stage of it. One row, however many items wait behind it. */
  async pause(scope: ValveScope, options: { readonly note?: string; readonly by?: string } = {}): Promise<void> {
    await this.#setPause(scope, true, checkNote(options.note), options.by);
  }

  async resume(scope: ValveScope, options: { readonly by?: string } = {}): Promise<void> {
    await this.#setPause(scope, false, null, options.by);
  }

  async #setPause(scope: ValveScope, closed: boolean, note: string | null, by = "api"): Promise<void> {
    const change = { kind: "pause", scope: checkScope(scope), closed, note, actor: checkActor(by) };
    await setValve(this.#ports.db, change);
    this.#wakeUp.moved();
  }

  /** Answers a question that an item waits with. The first answer counts. */
  async answer(
    question: QuestionId,
    given: unknown,
    options: string | Pick<ActionOptions, "by" | "dryRun"> = {},
  ): Promise<ActionResult> {
    const id = parseId("question", question, "question");
    const checked = checkOptions(options);
    if (await answer(this.#ports.db, id, given, checked))
      return checked.dryRun ? { ok: true } : this.#moved({ ok: true });
    return { ok: false, reason: "the question was answered or withdrawn already, or does not exist" };
  }

  async #act(action: Action, item: ItemId, options: Checked) {
    const id = parseId("item", item, "item");
    return this.#moved(await act(this.#ports, ordered(checkAction(action), options.asOwner), id, options));
  }

  #moved(result: ActionResult): ActionResult {
    if (result.ok && result.would === undefined) this.#wakeUp.moved();
    return result;
  }
}

function isRequest(target: ItemId | RequestId): target is RequestId {
  return typeof target === "string" && /^req_/i.test(target);
}

interface Checked {
  readonly actor: string;
  readonly dryRun: boolean;
  readonly asOwner: string | undefined;
}

function checkOptions(options: string | ActionOptions): Checked {
  if (typeof options === "string") return { actor: checkActor(options), dryRun: false, asOwner: undefined };
  if (typeof options !== "object" || options === null) throw new InputError("options", "options must be an object");
  const { by = "api", dryRun, asOwner } = options;
  return { actor: checkActor(by), dryRun: dryRun === true, asOwner };
}
