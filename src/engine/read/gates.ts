// The gates of an item's stages, and what each last said. Pure.
//
// A refusal is in the history with the gate's name and words. That a gate let an item pass is not, and need not be: a stage that is
// done has been let out by all of its gates, and one whose work was started, waits, had nothing to do, failed
// or was refused on leaving has been let in.

import type { StageFacts } from "../explain/state.ts";
import { JOURNAL_KIND } from "../items/codes.ts";
import type { GateRow } from "./gates.sql.ts";

export interface GateVerdict {
  readonly stage: string;
  /** Null for a function without a name, of which no refusal can be told apart. */
  readonly gate: string | null;
  readonly on: "enter" | "leave";
  /** Null where it has not come to it, or begins it anew. */
  readonly verdict: "passed" | "refused" | "sent-back" | null;
  readonly at: Date | null;
  /** What it said, where it did not let it pass. */
  readonly message: string | null;
  /** How often it did not let it pass, all in all. */
  readonly refusals: number;
}

/** `rows` newest first. Empty without the pipeline's code: only that knows which gates there are. */
export function gateVerdicts(stages: readonly StageFacts[] | undefined, rows: readonly GateRow[]): GateVerdict[] {
  return (stages ?? []).flatMap(({ name, enter = [], leave = [] }, index) => {
    const own = rows.filter((row) => row.stage === index);
    const entering = enter.map((gate) => refusalOf(gate.name));
    const letOut = (row: GateRow) => row.kind === JOURNAL_KIND.done;
    const isNamed = enter.every((gate) => gate.name !== "");
    const letIn = (row: GateRow) =>
      letOut(row) || OF_THE_STAGE.has(row.kind) || (isNamed && !mayBeGates(row) && !entering.some((is) => is(row)));
    return [
      ...enter.map((gate) =>
        verdictOf(name, gate.name, "enter", own, { hasPassed: letIn, isRefusal: refusalOf(gate.name) }),
      ),
      ...leave.map((gate) => {
        // Of two gates of one name the first is meant: nothing tells their refusals apart.
        const isRefusal = enter.some((one) => one.name === gate.name) ? () => false : refusalOf(gate.name);
        return verdictOf(name, gate.name, "leave", own, { hasPassed: letOut, isRefusal });
      }),
    ];
  });
}

/** Said by the stage's own work, which comes after its gates. */
const OF_THE_STAGE: ReadonlySet<number> = new Set([
  ...[
    JOURNAL_KIND.started,
    JOURNAL_KIND.again,
    JOURNAL_KIND.wait,
    JOURNAL_KIND.ask,
    JOURNAL_KIND.spawn,
    JOURNAL_KIND.skip,
  ],
]);

/** A visit that took too long may have done so at a gate. */
const mayBeGates = ({ code }: GateRow) => code === "TIMEOUT";

/** As `passGates` writes it. */
const wordsBefore = (gate: string) => `gate ${gate}: `;

function refusalOf(gate: string): (row: GateRow) => boolean {
  return ({ message }) => gate !== "" && message !== null && message.startsWith(wordsBefore(gate));
}

function verdictOf(
  stage: string,
  gate: string,
  on: "enter" | "leave",
  rows: readonly GateRow[],
  { hasPassed, isRefusal }: { readonly [what in "hasPassed" | "isRefusal"]: (row: GateRow) => boolean },
): GateVerdict {
  const told = { stage, gate: gate === "" ? null : gate, on, refusals: rows.filter(isRefusal).length };
  const last = rows.find((row) => isRefusal(row) || hasPassed(row));
  if (last === undefined) return { ...told, verdict: null, at: null, message: null };
  if (!isRefusal(last)) return { ...told, verdict: "passed", at: last.at, message: null };
  const message = last.message?.slice(wordsBefore(gate).length) ?? null;
  return { ...told, verdict: last.kind === JOURNAL_KIND.back ? "sent-back" : "refused", at: last.at, message };
}
