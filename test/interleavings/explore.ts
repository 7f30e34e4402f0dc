// Tries the interleavings of a scenario one after the other: depth first over "who goes next", each from a fresh start.
//
// Whether a statement waits for a lock is asked of the server (pg_blocking_pids), never guessed from time. While one
// waits the others go on; when a commit lets it go on, the next choice waits until it has come to rest again.

import type { Arena } from "./arena.ts";
import { checkInvariants } from "./invariants.ts";
import type { Run, Scenario } from "./scenario.ts";
import type { SteppedSession } from "./stepped-session.ts";

interface Choice {
  readonly options: readonly string[];
  taken: number;
}

export interface Explored {
  readonly interleavings: number;
  readonly waits: number;
}

/** More than any scenario here needs: a script that never ends is a mistake, or a planted one. */
const STEPS_MOST = 400;
const INTERLEAVINGS_MOST = 20_000;

export async function explore(arena: Arena, scenario: Scenario): Promise<Explored> {
  const path: Choice[] = [];
  let interleavings = 0;
  let waits = 0;
  do {
    const run = await runOnce(arena, scenario, path);
    interleavings += 1;
    waits += run.waits.length;
    if (interleavings > INTERLEAVINGS_MOST) throw new Error(`${scenario.name}: too many interleavings to try them all`);
  } while (nextPath(path));
  return { interleavings, waits };
}

/** Two interleavings only: each session in one go, in this order and in the opposite one. */
export async function glance(arena: Arena, scenario: Scenario): Promise<void> {
  await runOnce(arena, scenario, []);
  await runOnce(arena, scenario, [], true);
}

/** Moves on to the next untried choice; false when all were tried. */
function nextPath(path: Choice[]): boolean {
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    last.taken += 1;
    if (last.taken < last.options.length) return true;
    path.pop();
  }
  return false;
}

async function runOnce(arena: Arena, scenario: Scenario, path: Choice[], isBackwards = false): Promise<Run> {
  const trace: string[] = [];
  const waits: string[] = [];
  try {
    await arena.reset();
    const prepared = await scenario.prepare(arena);
    const names = Object.keys(prepared.sessions);
    const sessions = await arena.sessions(isBackwards ? names.reverse() : names);
    for (const session of sessions) {
      await session.prepare(scenario.settings?.[session.name]);
      await session.begin(prepared.sessions[session.name] ?? (async () => undefined));
    }
    await walk({ arena, sessions, path, trace, waits, preemptions: scenario.preemptions ?? Number.POSITIVE_INFINITY });
    const failures = new Map(sessions.filter((s) => s.failure !== undefined).map((s) => [s.name, s.failure]));
    const run = { trace, waits, failures };
    if (scenario.mayFail !== true) for (const [name, error] of failures) throw new Error(`${name} failed: ${error}`);
    await prepared.check?.(run);
    await checkInvariants(arena);
    return run;
  } catch (error) {
    await arena.abandon();
    const where = trace.length === 0 ? "" : `\nin this order:\n  ${trace.join("\n  ")}`;
    throw new Error(`${scenario.name}: ${error instanceof Error ? error.message : String(error)}${where}`, {
      cause: error,
    });
  }
}

interface Walk {
  readonly arena: Arena;
  readonly sessions: readonly SteppedSession[];
  readonly path: Choice[];
  readonly trace: string[];
  readonly waits: string[];
  preemptions: number;
}

async function walk(walk: Walk): Promise<void> {
  const { arena, sessions, path, trace, waits } = walk;
  let depth = 0;
  let last: SteppedSession | undefined;
  while (sessions.some((session) => session.state !== "over")) {
    const asking = sessions.filter((session) => session.state === "asking");
    if (asking.length === 0) {
      // All wait for each other: the server finds the deadlock and ends one of them.
      await arena.untilChanged(sessions);
      continue;
    }
    if (trace.length >= STEPS_MOST) throw new Error(`no end after ${STEPS_MOST} statements`);
    const chosen = choose(asking, last, path, depth, walk.preemptions);
    if (last !== undefined && chosen !== last && last.state === "asking") walk.preemptions -= 1;
    depth += 1;
    trace.push(`${chosen.name}: ${chosen.nextStep}`);
    const step = trace.length - 1;
    chosen.send();
    await arena.atRest(sessions);
    if (chosen.state === "sent") {
      waits.push(trace[step] ?? "");
      trace[step] += " (waits)";
    }
    last = chosen;
  }
}

function choose(
  asking: readonly SteppedSession[],
  last: SteppedSession | undefined,
  path: Choice[],
  depth: number,
  preemptions: number,
): SteppedSession {
  // Going on comes first, so that the first interleavings tried are the ones with the fewest interruptions.
  const first = last !== undefined && asking.includes(last) ? last : undefined;
  const others = asking.filter((session) => session !== first);
  const open = first === undefined ? others : preemptions > 0 ? [first, ...others] : [first];
  const options = open.map((session) => session.name);
  const known = path[depth];
  if (known === undefined) path.push({ options, taken: 0 });
  else if (known.options.join() !== options.join()) {
    throw new Error(`not repeatable: first ${known.options.join(" or ")} could go on, then ${options.join(" or ")}`);
  }
  const name = path[depth]?.options[path[depth]?.taken ?? 0];
  const chosen = open.find((session) => session.name === name);
  if (chosen === undefined) throw new Error("a choice is one of its options");
  return chosen;
}
