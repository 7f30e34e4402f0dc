// All or nothing: one part has failed, so what the others did is undone. Visit after visit, until each of them is undone or
// its service has said that it never can be; which ones are is kept in the item's checkpoint. Nothing of it spends an attempt.

import { safeText } from "../../kit/index.ts";
import type { PartRow } from "../items/parts.sql.ts";
import { PARTS_FAILED, partsFailure, undoDelayMs, type Withdrawal } from "../items/parts.ts";
import type { VisitResult } from "../items/standing.ts";
import { type Fault, permanent, toFault, transient } from "../pipeline/fault.ts";
import type { PartsWork } from "../pipeline/parts.ts";
import type { Visit } from "../pipeline/stage.ts";
import type { Deadline } from "./deadlines.ts";
import type { Held } from "./held.ts";
import { type HeldParts, standingOf } from "./held-parts.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import type { ServiceRule } from "./known-services.ts";

export interface UndoPorts {
  readonly installation: string;
  call<Result>(service: string | ServiceRule, work: (client: unknown) => Promise<Result>): Promise<Result>;
  /** Calls back when so much time has passed, unless the deadline was met before. */
  within(ms: number, onTime: () => void): Pick<Deadline, "meet">;
}

/** In one visit, side by side. */
const BATCH = 10;
/** Of a visit's time: what takes longer is tried again in the next one, and does not fail the item. */
const SHARE_OF_VISIT = 0.8;
/** Whoever was in the middle of a part learns within this time that it was cancelled. */
const STRAGGLER_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

interface Progress {
  readonly request: string;
  readonly withdrawn: Withdrawal;
  readonly round: number;
}

export async function withdraw(held: Held, parts: HeldParts, visit: Visit, ports: UndoPorts): Promise<VisitResult> {
  const standings = parts.list.map(standingOf);
  // They were to be cancelled before this visit.
  if (standings.some((part) => part.status === "pending")) return later(LOOK_AGAIN_MS, undefined);
  const before = progressOf(visit.checkpoint.value, parts.request);
  const owed = parts.list.filter((part) => mayHaveDone(part) && !(part.name in before.withdrawn));
  const ripe = owed.filter((part) => !part.was_held || (part.ended_ms ?? 0) >= STRAGGLER_MS).slice(0, BATCH);
  const room = Math.floor(REFUSALS_BYTES / parts.list.length);
  const withdrawn: Record<string, string | null> = { ...before.withdrawn };
  let fault: Fault | undefined;
  const ended = await Promise.all(ripe.map((part) => undoInTime(held, part, visit, ports)));
  for (const [index, { name }] of ripe.entries()) {
    const came = ended[index];
    if (came === undefined) withdrawn[name] = null;
    else if (came.kind === "permanent") withdrawn[name] = safeText(came.message, room);
    else fault = came;
  }
  const round = fault === undefined ? before.round : before.round + 1;
  if (ripe.length > 0) await visit.checkpoint.save({ request: parts.request, withdrawn, round } satisfies Progress);
  const left = owed.filter((part) => !(part.name in withdrawn));
  if (left.length === 0) return { fault: permanent(PARTS_FAILED, partsFailure(standings, withdrawn)) };
  if (fault !== undefined) return later(Math.max(undoDelayMs(round), fault.retryAfterMs ?? 0), fault);
  return later(ripe.length > 0 ? 0 : STRAGGLER_MS, undefined);
}

/** With names of all parts, within what a checkpoint may hold. */
const REFUSALS_BYTES = 16 * 1024;

/** One that was cancelled in the middle of a visit may have got as far as doing it. */
function mayHaveDone(part: PartRow): boolean {
  return standingOf(part).status === "done" || part.was_held;
}

/** Undefined when it is undone. */
async function undoInTime(held: Held, part: PartRow, visit: Visit, ports: UndoPorts): Promise<Fault | undefined> {
  const { stage } = held.place;
  const limitMs = Math.floor(stage.timeoutMs * SHARE_OF_VISIT);
  return await new Promise((resolve) => {
    const deadline = ports.within(limitMs, () => {
      resolve(transient("TIMEOUT", `undoing ${part.name} took longer than ${limitMs} ms`));
    });
    undo(stage.parts, stage.name, part, visit, ports)
      .then(
        () => resolve(undefined),
        (error: unknown) => resolve(toFault(error)),
      )
      .finally(() => deadline.meet());
  });
}

async function undo(
  work: PartsWork | undefined,
  stage: string,
  part: PartRow,
  visit: Visit,
  ports: UndoPorts,
): Promise<void> {
  const undoIt = work?.undo;
  if (undoIt === undefined) throw permanent("NO_UNDO", "the stage has no undo");
  const { input, out, item, signal } = visit;
  const key = idempotencyKey(ports.installation, [part.nonce, stage, part.series, part.input]);
  const undone = { part: part.input, output: part.output ?? undefined, key, input, out, item, signal };
  const service = part.service ?? work?.serviceOf(part.name);
  if (service === undefined) await undoIt(undone, undefined);
  else await ports.call(service, (client) => undoIt(undone, client));
}

function later(afterMs: number, fault: Fault | undefined): VisitResult {
  return { parts: { withdraw: { afterMs, code: fault?.code ?? null, message: fault?.message ?? null } } };
}

/** Of these parts: those of an earlier series may have had the same names. */
function progressOf(saved: unknown, request: string): Progress {
  const progress = saved as Progress | undefined;
  return progress?.request === request ? progress : { request, withdrawn: {}, round: 0 };
}
