// A refusal that ends by itself: whoever gets it is told when.

import { SluiceError } from "../../engine/index.ts";

export class TryLater extends SluiceError {
  readonly retryAfterMs: number;

  constructor(code: "RATE_LIMITED" | "UNAVAILABLE", why: string, retryAfterMs: number) {
    super(code, `${why}; try again in ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s`);
    this.retryAfterMs = retryAfterMs;
  }
}
