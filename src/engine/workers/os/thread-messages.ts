// What a pool and its threads say to each other. Everything carries the visit's number: code that runs on after its visit
// must not speak for the next one in the same thread.

import type { Visit } from "../../pipeline/visit.ts";
import type { LogLevel } from "../visit-log.ts";
import type { WireFault, WireResult } from "../visit-wire.ts";

/** What can be cloned of a visit. */
export type ThreadVisit = Pick<
  Visit,
  "input" | "part" | "out" | "pipeline" | "stage" | "item" | "key" | "trace" | "attempt" | "because"
> & { readonly checkpoint: unknown };

export type ToThread =
  | { readonly type: "visit"; readonly id: number; readonly module: string; readonly visit: ThreadVisit }
  | { readonly type: "abort"; readonly id: number; readonly fault: WireFault }
  | { readonly type: "saved"; readonly id: number; readonly ask: number; readonly fault?: WireFault };

export type FromThread =
  | { readonly type: "ended"; readonly id: number; readonly result: WireResult }
  | { readonly type: "checkpoint"; readonly id: number; readonly ask: number; readonly value: unknown }
  | { readonly type: "progress"; readonly id: number; readonly percent: number }
  | {
      readonly type: "log";
      readonly id: number;
      readonly level: LogLevel;
      readonly text: string;
      readonly facts: Record<string, unknown> | undefined;
    };
