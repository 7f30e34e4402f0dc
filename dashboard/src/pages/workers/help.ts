import type { Worker } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";

const { help } = words.workers;

/** What its state means for what it had in hand: others take that over, where there are others. Pure. */
export function helpOf({ state, items }: Pick<Worker, "state" | "items">, isAnyAlive: boolean): string {
  if (state === "alive" || state === "left") return help[state];
  if (state === "dead" && items === 0) return help.empty;
  return help[state][isAnyAlive ? "others" : "alone"];
}
