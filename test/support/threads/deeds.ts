// A handler that does in its thread what the input says.

import { done, type Outcome } from "../../../src/engine/pipeline/outcome.ts";
import type { Visit } from "../../../src/engine/pipeline/visit.ts";

export interface Deed {
  readonly does: "sum" | "spin" | "exit" | "grow" | "throw" | "obey" | "call";
}

export default async function act(visit: Visit<Deed>): Promise<Outcome> {
  switch (visit.input.does) {
    case "sum": {
      visit.progress(40);
      visit.log.info("half", { from: visit.checkpoint.value });
      await visit.checkpoint.save({ half: true });
      const { key, attempt, trace, stage } = visit;
      return done({ key, attempt, trace, stage, saved: visit.checkpoint.value });
    }
    case "spin":
      for (;;);
    case "exit":
      return process.exit(3);
    case "grow": {
      const kept: unknown[] = [];
      for (;;) kept.push(new Array(100_000).fill(kept.length));
    }
    case "throw":
      throw new RangeError("out of range");
    case "obey":
      return await new Promise((_resolve, reject) => {
        visit.signal.addEventListener("abort", () => reject(visit.signal.reason));
        visit.progress(1);
      });
    case "call":
      return done(await visit.call({} as never, async () => 1));
  }
}
