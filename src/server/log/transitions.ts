// Writes a line for every event of the feed, from one server at a time.

import type { Logger, Sluice } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { Follow } from "../follow/follow.ts";
import { transitionLine } from "./transition-line.ts";

export interface TransitionLogPorts {
  readonly sluice: Pick<Sluice, "feed" | "feedEnd" | "tables" | "stagesOf">;
  readonly log: Logger;
  readonly clock: Clock;
  /** A name that no other server has. */
  readonly holder: string;
}

export function transitionLog({ sluice, log, clock, holder }: TransitionLogPorts): Follow {
  return new Follow({
    ...{ sluice, log, clock, holder },
    name: "transition-log",
    see: (event) => {
      const { level, event: name, facts } = transitionLine(event, (pipeline) => sluice.stagesOf(pipeline));
      log[level](name, facts);
    },
  });
}
