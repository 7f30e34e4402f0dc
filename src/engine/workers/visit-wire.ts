// A visit in another process: what the parent and the child say to each other, and how a visit and its result travel as
// JSON. Pure. Everything carries the word `sluice`, because a stage's code may use the channel for words of its own.

import { checkJson } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import type { PartsStep } from "../items/parts-step.ts";
import type { OutsideResult, VisitResult } from "../items/standing.ts";
import { type BreakerReport, Fault, type FaultKind, toFault } from "../pipeline/fault.ts";
import type { Child, Outcome } from "../pipeline/outcome.ts";
import type { AnyPipeline } from "../pipeline/pipeline.ts";
import type { ServiceRules } from "../pipeline/service.ts";
import type { Because } from "../pipeline/stage.ts";
import { type Held, hold } from "./held.ts";
import { HeldOutputs } from "./held-outputs.ts";
import type { HeldParts, Parent } from "./held-parts.ts";
import { type LogNews, VisitLog } from "./visit-log.ts";

export type ToChild =
  | { readonly sluice: "visit"; readonly id: number; readonly visit: WireVisit }
  | { readonly sluice: "abort"; readonly id: number; readonly fault: WireFault }
  | { readonly sluice: "saved"; readonly id: number; readonly ask: number; readonly fault?: WireFault }
  /** It may call the service now; or not, with the reason. */
  | { readonly sluice: "may"; readonly id: number; readonly ask: number; readonly fault?: WireFault };

export type FromChild =
  | { readonly sluice: "hello" }
  | { readonly sluice: "ended"; readonly id: number; readonly result: WireResult; readonly notes?: LogNews }
  | { readonly sluice: "noted"; readonly id: number; readonly notes: LogNews }
  /** The child does not have that pipeline, or not in that shape. */
  | { readonly sluice: "unknown"; readonly id: number }
  | { readonly sluice: "checkpoint"; readonly id: number; readonly ask: number; readonly value: string }
  | { readonly sluice: "progress"; readonly id: number; readonly percent: number }
  | { readonly sluice: "call"; readonly id: number; readonly ask: number; readonly service: WireService }
  /** The call is over: well, or with a fault. */
  | { readonly sluice: "called"; readonly id: number; readonly ask: number; readonly fault?: WireFault };

/** Its name alone, where the parent knows the rest. */
export type WireService = string | { readonly name: string; readonly rules: ServiceRules };

export interface WireVisit {
  readonly pipeline: { readonly name: string; readonly version: number; readonly shape: string };
  readonly stage: number;
  readonly row: ClaimedRow;
  readonly attempts: number;
  readonly series: number;
  /** How long ago the visit began: that a child had to be started first is part of it. */
  readonly agoMs: number;
  readonly outputs: readonly (readonly [string, unknown])[];
  readonly because: Because;
  readonly checkpoint?: unknown;
  readonly service: string;
  readonly installation: string;
  readonly mayHaveStarted: boolean;
  readonly parent?: Parent | undefined;
  readonly parts?: HeldParts | undefined;
}

export interface WireFault {
  readonly kind: FaultKind;
  readonly code: string;
  readonly message: string;
  readonly service?: string;
  readonly retryAfterMs?: number;
  readonly breaker: BreakerReport;
}

/** No outcome at all is what a stage that returned nothing came to; deciding about it is not the child's business. */
export type WireResult = (
  | { readonly fault: WireFault }
  | { readonly outcome?: unknown }
  | { readonly started: { readonly ref: string; readonly key: string } }
  | { readonly chosen: string }
  | { readonly parts: PartsStep }
) &
  OutsideResult;

export function isWire(message: unknown): message is ToChild | FromChild {
  return typeof message === "object" && message !== null && "sluice" in message;
}

export function packVisit(held: Held, installation: string, now: number): WireVisit {
  const { name, version, shape } = held.place.pipeline;
  const { row, attempts, series, because, checkpoint } = held;
  const stage = held.place.index;
  return {
    pipeline: { name, version, shape },
    stage,
    row,
    attempts,
    series,
    agoMs: now - held.beganAt,
    outputs: [...held.outputs.entries()],
    because,
    checkpoint,
    service: held.place.service,
    installation,
    mayHaveStarted: held.mayHaveStarted,
    parent: held.parent,
    parts: held.parts,
  };
}

/** Undefined when none of these pipelines is the one that is meant. */
export function unpackVisit(visit: WireVisit, pipelines: Iterable<AnyPipeline>, now: number): Held | undefined {
  const { name, version, shape } = visit.pipeline;
  for (const pipeline of pipelines) {
    if (pipeline.name !== name || pipeline.version !== version || pipeline.shape !== shape) continue;
    const stage = pipeline.stages[visit.stage];
    if (stage === undefined) return undefined;
    // Lane and id of the pipeline are the parent's business; no visit looks at them.
    const place = {
      lane: visit.row.lane,
      service: visit.service,
      pipeline,
      pipelineId: 0,
      index: visit.stage,
      stage,
      siblings: [],
    };
    const held = hold(visit.row, place, now - visit.agoMs);
    const { attempts, series, because, checkpoint, mayHaveStarted, parent, parts } = visit;
    const outputs = HeldOutputs.from(visit.outputs);
    Object.assign(held, { attempts, series, because, checkpoint, mayHaveStarted, parent, parts, outputs });
    return held;
  }
  return undefined;
}

export function packFault(fault: Fault): WireFault {
  const { kind, code, message, service, retryAfterMs, breaker } = fault;
  return {
    kind,
    code,
    message,
    breaker,
    ...(service === undefined ? {} : { service }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

export function unpackFault(fault: WireFault): Fault {
  return new Fault(fault.kind, fault.code, fault.message, {
    breaker: fault.breaker,
    ...(fault.service === undefined ? {} : { service: fault.service }),
    ...(fault.retryAfterMs === undefined ? {} : { retryAfter: fault.retryAfterMs }),
  });
}

/** A spawn of many children with inputs of the largest size. */
const RESULT_BYTES = 64 * 1024 * 1024;

/** Checked before it travels: on the way JSON would turn a Date into text, where the parent's own check would refuse it. */
export function packResult(result: VisitResult, stageName: string): WireResult {
  if ("started" in result || "chosen" in result || "parts" in result) return result;
  const gaveUp = result.gaveUp === undefined ? {} : { gaveUp: result.gaveUp };
  if ("fault" in result) return { fault: packFault(result.fault), ...gaveUp };
  const { outcome } = result;
  if (outcome === undefined) return gaveUp;
  try {
    if (hasOutput(outcome)) checkJson(outcome.output, { field: `output of ${stageName}`, maxBytes: VALUE_BYTES });
    return { outcome: JSON.parse(checkJson(plain(outcome), { field: "outcome", maxBytes: RESULT_BYTES })), ...gaveUp };
  } catch (error) {
    return { fault: packFault(toFault(error)), ...gaveUp };
  }
}

export function unpackResult(result: WireResult): VisitResult {
  if ("started" in result || "chosen" in result || "parts" in result) return result;
  const gaveUp = result.gaveUp === undefined ? {} : { gaveUp: result.gaveUp };
  if ("fault" in result) return { fault: unpackFault(result.fault), ...gaveUp };
  // Whatever it is, `decide` judges it; the child's types vouch for it no less than the parent's would.
  return { outcome: result.outcome as Outcome, ...gaveUp };
}

/** What the visit noted over there. */
export function takeNotes(held: Held, notes: LogNews | undefined): void {
  if (notes === undefined) return;
  held.log ??= new VisitLog();
  held.log.append(notes);
}

function hasOutput(outcome: Outcome): outcome is Outcome & { readonly output: unknown } {
  return (outcome?.type === "done" || outcome?.type === "skip") && outcome.output !== undefined;
}

/** With pipelines reduced to their names: the parent has its own. */
function plain(outcome: Outcome): unknown {
  if (outcome?.type === "done") return { ...outcome, spawn: allNamed(outcome.spawn) };
  if (outcome?.type === "spawn") return { ...outcome, children: allNamed(outcome.children) };
  return outcome;
}

/** What is no list, or no child, stays as it is: whoever decides says what is wrong with it. */
function allNamed(children: readonly Child[]): unknown {
  return Array.isArray(children) ? children.map(named) : children;
}

function named(child: Child): unknown {
  if (typeof child?.pipeline?.name !== "string") return child;
  const { name, version } = child.pipeline;
  return { ...child, pipeline: { name, version } };
}
