// One visit: gates, the stage's own code, gates again, under a time limit. Whatever it does, a result comes back: an
// outcome, or a fault. Nothing in here writes, but for the checkpoint the stage asks for.

import { type Clock, checkJson, formatId, InputError } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import type { VisitResult } from "../items/decide.ts";
import { toFault, transient } from "../pipeline/fault.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import type { Gate, Visit } from "../pipeline/stage.ts";
import type { Held } from "./held.ts";
import { idempotencyKey } from "./idempotency-key.ts";

export interface VisitPorts {
  readonly clock: Clock;
  saveCheckpoint(held: Held, value: string): Promise<void>;
  reportProgress(held: Held, percent: number): void;
}

export async function visitStage(held: Held, ports: VisitPorts): Promise<VisitResult> {
  const { stage } = held.place;
  const over = new AbortController();
  const signal = AbortSignal.any([held.abort.signal, over.signal]);
  const limit = new AbortController();
  const timeUp = ports.clock.sleep(stage.timeoutMs, limit.signal).then((): VisitResult => {
    const fault = transient("TIMEOUT", `${stage.name} took longer than ${stage.timeoutMs} ms`);
    over.abort(fault);
    return { fault };
  });
  try {
    return await Promise.race([runGuarded(held, signal, ports), timeUp]);
  } finally {
    limit.abort();
    // Whatever the stage's code left running may not act for an item that has moved on.
    over.abort(transient("OVER", "the visit is over"));
  }
}

async function runGuarded(held: Held, signal: AbortSignal, ports: VisitPorts): Promise<VisitResult> {
  try {
    return { outcome: await runStage(held, signal, ports) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

async function runStage(held: Held, signal: AbortSignal, ports: VisitPorts): Promise<Outcome> {
  const { stage } = held.place;
  const visit = visitFor(held, signal, ports);
  const turnedAway = await passGates(stage.enter, visit);
  if (turnedAway !== undefined) return turnedAway;
  const outcome = await stage.run(visit);
  if (outcome?.type !== "done" || stage.leave.length === 0) return outcome;
  const out = { ...(visit.out as object), [stage.name]: outcome.output };
  return (await passGates(stage.leave, { ...visit, out })) ?? outcome;
}

/** A gate that refuses throws; its name goes in front of what it said, so that history shows which one it was. */
async function passGates(gates: readonly Gate[], visit: Visit): Promise<Outcome | undefined> {
  for (const gate of gates) {
    try {
      const verdict = await gate(visit);
      if (verdict !== undefined) return verdict;
    } catch (error) {
      const fault = toFault(error);
      if (gate.name !== "") fault.message = `gate ${gate.name}: ${fault.message}`;
      throw fault;
    }
  }
  return undefined;
}

function visitFor(held: Held, signal: AbortSignal, ports: VisitPorts): Visit {
  const { row, place } = held;
  return {
    input: row.input,
    out: Object.fromEntries(held.outputs),
    item: { id: formatId("item", row.id), request: formatId("request", row.request_id), owner: row.owner },
    get key() {
      return idempotencyKey(row.nonce, place.stage.name, held.series, row.input);
    },
    attempt: held.attempts + 1,
    signal,
    because: held.because,
    checkpoint: {
      value: held.checkpoint,
      async save(value) {
        const json = checkJson(value, { field: "checkpoint", maxBytes: VALUE_BYTES });
        if (signal.aborted) throw signal.reason;
        await ports.saveCheckpoint(held, json);
        held.checkpoint = JSON.parse(json);
      },
    },
    progress(percent) {
      if (typeof percent !== "number")
        throw new InputError("progress", `progress must be a number, got ${typeof percent}`);
      // Outside programs report NaN, -1 and 103; none of that is worth failing for.
      if (!Number.isNaN(percent)) ports.reportProgress(held, Math.min(100, Math.max(0, percent)));
    },
  };
}
