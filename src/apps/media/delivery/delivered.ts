// What came of one target.

import type { Announced } from "../clients/servers.ts";

export interface Delivered {
  /** Below the server's root. */
  readonly path: string;
  /** Tells its part from any other's. */
  readonly id: string;
  readonly bytes: number;
  /** By the last try alone: less than all where it went on from a part, or was there. */
  readonly sentBytes: number;
  readonly sha256: string;
  /** With all or nothing, not before all servers have it. */
  readonly isPublished: boolean;
  readonly told: Announced;
}

export const NOT_TOLD: Announced = { ok: null, code: null, sentence: null };
