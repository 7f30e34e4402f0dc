// Everything that can be done to an item, each with whether it can be done now, else why not: what the dry runs would say, from facts
// that are read once. Writes nothing.

import { formatId, type QuestionId, type RequestId } from "../../kit/index.ts";
import { ITEM_STATE } from "../items/codes.ts";
import { openQuestions } from "../read/questions.sql.ts";
import { askPipelines, type ConsiderPorts, factsAndBarriers, unlessReserved } from "./consider.ts";
import type { ItemFacts } from "./facts.sql.ts";
import { type Action, ordered, type Plan, plan, wouldDo } from "./plan.ts";
import { wouldRemove } from "./remove.ts";
import { whyNotPart, wouldRetryParts } from "./retry-parts.ts";
import { listValves, type ValveRow } from "./valve.sql.ts";

/** Null: it can be done. Else why not, as a sentence's end. */
export type Refusal = string | null;

export interface ReplayFrom {
  readonly from: string;
  readonly same: Refusal;
  readonly copy: Refusal;
  /** Stages whose outputs are kept, and those that are done again. */
  readonly keeps: readonly string[];
  readonly redoes: readonly string[];
}

/** Of a hold that somebody set: what it is about. */
export interface HeldScope {
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly stage: string | null;
}

export interface Possible {
  readonly request: RequestId;
  readonly pipeline: string;
  /** Where it is, or ended. */
  readonly stage: string;
  readonly priority: number;
  readonly retry: Refusal;
  readonly retryParts: Refusal;
  readonly cancel: Refusal;
  readonly skip: Refusal;
  readonly takeBack: Refusal;
  readonly runOnce: Refusal;
  readonly setPriority: Refusal;
  /** From every stage of its pipeline. */
  readonly replay: readonly ReplayFrom[];
  /** The open question, where it asks one. */
  readonly answer: { readonly refusal: Refusal; readonly question: QuestionId | null };
  readonly remove: Refusal;
  /** Of the stage it is in. */
  readonly hold: Refusal;
  /** What holds it and can be resumed. */
  readonly resume: { readonly refusal: Refusal; readonly held: HeldScope | null };
}

export interface PossibleOptions {
  readonly actor: string;
  readonly asOwner: string | undefined;
  /** Whether the pipeline's own check is asked about a retry: it runs its code, which may ask somebody outside. */
  readonly asksPipeline: boolean;
}

/** Undefined where there is no such item. */
export async function possible(
  ports: ConsiderPorts,
  item: string,
  { actor, asOwner, asksPipeline }: PossibleOptions,
): Promise<Possible | undefined> {
  const { db } = ports;
  const [facts] = await factsAndBarriers(db, [item]);
  if (facts === undefined) return undefined;
  const planned = (action: Action) => unlessReserved(ports.registry, plan(ordered(action, asOwner), facts, new Map()));
  const refused = (action: Action) => refusalOf(planned(action));
  const byFacts = { facts, plan: planned({ type: "retry" }) };
  const [retry = byFacts] = asksPipeline ? await askPipelines(ports, [byFacts], actor) : [];
  const isPart = "change" in retry.plan && retry.plan.change.type === "reopen-part";
  const againstPart = isPart ? await whyNotPart(db, item) : undefined;
  const parts = await wouldRetryParts(db, item);
  const [question] = await openQuestions(db, { item, owner: null, after: "0", most: 1 });
  const request = formatId("request", facts.request_id);
  const removes = await wouldRemove(db, request);
  const valves = (await listValves(db)).filter((one) => covers(one, facts));
  return {
    ...{ request, pipeline: facts.pipeline, stage: stageOf(facts), priority: facts.priority },
    retry: refusalOf(retry.plan) ?? againstPart ?? null,
    retryParts: typeof parts === "string" ? parts : null,
    cancel: refused({ type: "cancel" }),
    skip: refused({ type: "skip", reason: "?" }),
    takeBack: refused({ type: "take-back" }),
    runOnce: refused({ type: "run-once" }),
    // Any but its own.
    setPriority: refused({ type: "set-priority", priority: facts.priority === 1 ? 2 : 1 }),
    replay: facts.stages.map((from) => replayOf(facts, from, planned)),
    answer:
      question === undefined
        ? { refusal: "it asks nothing", question: null }
        : { refusal: null, question: formatId("question", question.id) },
    remove: removeRefusal(facts, removes, asOwner),
    ...holdsOf(facts, valves),
  };
}

function refusalOf(planned: Plan): Refusal {
  return "refusal" in planned ? planned.refusal : null;
}

function stageOf({ stages, stage }: ItemFacts): string {
  return stages[stage] ?? "";
}

function replayOf(facts: ItemFacts, from: string, planned: (action: Action) => Plan): ReplayFrom {
  const same = planned({ type: "replay", from, as: "same" });
  const copy = planned({ type: "replay", from, as: "copy" });
  const told = "change" in same ? same : copy;
  const { keeps, redoes } = "change" in told ? wouldDo(facts, told.change) : { keeps: [], redoes: [] };
  return { from, same: refusalOf(same), copy: refusalOf(copy), keeps, redoes };
}

function removeRefusal(facts: ItemFacts, items: number | string, asOwner: string | undefined): Refusal {
  if (typeof items === "string") return items;
  const isShared = asOwner !== undefined && facts.owners.some((owner) => owner !== asOwner);
  return isShared ? "others asked for the same request; only an admin may change it for all of them" : null;
}

/** Kinds of valves that a hold is told as; a switch is turned on, and a breaker closes by itself. */
const HOLDS: readonly string[] = ["pause", "hold"];

function holdsOf(facts: ItemFacts, valves: readonly ValveRow[]): Pick<Possible, "hold" | "resume"> {
  if (facts.item_state !== ITEM_STATE.live)
    return { hold: "it has ended already", resume: { refusal: "it has ended already", held: null } };
  const held = valves.filter((one) => HOLDS.includes(one.kind));
  const [first] = held;
  const isHeld = held.some(
    ({ kind, pipeline, version, stage }) =>
      kind === "pause" && pipeline === facts.pipeline && version === null && stage === stageOf(facts),
  );
  const isOff = valves.some((one) => one.kind === "switch");
  const refusal = isOff ? "no hold keeps it; its stage is switched off" : "no hold keeps it";
  return {
    hold: isHeld ? "its stage is held already" : null,
    resume: first === undefined ? { refusal, held: null } : { refusal: null, held: scopeOf(first) },
  };
}

function scopeOf({ pipeline, version, stage }: ValveRow): HeldScope {
  return { pipeline, version, stage };
}

function covers({ closed, kind, pipeline, version, stage }: ValveRow, facts: ItemFacts): boolean {
  return (
    closed &&
    kind !== "breaker" &&
    (pipeline ?? facts.pipeline) === facts.pipeline &&
    (version ?? facts.pipeline_version) === facts.pipeline_version &&
    (stage ?? stageOf(facts)) === stageOf(facts)
  );
}
