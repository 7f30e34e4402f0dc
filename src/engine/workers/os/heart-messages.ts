// What the worker and the thread that beats for it say to each other.

import type { Invitation } from "../worker-row.sql.ts";

export interface HeartThreadData {
  readonly url: string;
  readonly everyMs: number;
  readonly direct: boolean;
}

export type ToHeart =
  | { readonly type: "start"; readonly epoch: string }
  | { readonly type: "acknowledge"; readonly generation: string }
  | { readonly type: "hurry" }
  | { readonly type: "invites"; readonly invitation: Invitation }
  | { readonly type: "stop" };

/** The epoch says which life is meant: a newer one may have begun while the message was on its way. */
export type FromHeart =
  | { readonly type: "beaten"; readonly epoch: string; readonly generation: string }
  | { readonly type: "foundDead"; readonly epoch: string }
  /** What may it be handed? Whoever hangs does not answer, and is handed nothing. */
  | { readonly type: "asks" }
  | {
      readonly type: "log";
      readonly level: "info" | "warn" | "error";
      readonly event: string;
      readonly facts: Record<string, unknown>;
    };
