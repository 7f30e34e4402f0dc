import type { PossibleActions } from "../../../../src/server/contract/wire.ts";

export type As = "same" | "copy";
interface Choice {
  readonly from: string;
  readonly as: As;
}

/** What the form begins with: in place where some stage allows it, else as a copy. Pure. */
export function firstOf(replay: PossibleActions["replay"]): Choice {
  const same = replay.find((way) => way.same.can);
  if (same !== undefined) return { from: same.from, as: "same" };
  const copy = replay.find((way) => way.copy.can);
  return copy === undefined ? { from: replay[0]?.from ?? "", as: "same" } : { from: copy.from, as: "copy" };
}
