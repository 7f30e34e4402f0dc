// The test of an encoder: it is never called, so what is to be tried is laid out for its next word, and waited for.

import { unavailable } from "../../../engine/index.ts";
import type { Clock } from "../../../kit/index.ts";
import type { TrialReport } from "../encoding/conversation.ts";
import type { EncoderRow } from "../encoding/encoders.sql.ts";
import { type Steps, type Tested, type TrialOptions, trial } from "./steps.ts";

export interface EncoderTrialOptions extends TrialOptions {
  /** Lays it out, with a file that it is to look for; answers with what it is called. */
  readonly ask: (name: string) => Promise<string>;
  /** What it came to; undefined while it has not been said. */
  readonly answer: (name: string, trial: string) => Promise<TrialReport | undefined>;
  /** Takes the file away. */
  readonly over: (trial: string) => Promise<void>;
}

const LOOK_MS = 250;

export async function testEncoder(row: EncoderRow, options: EncoderTrialOptions): Promise<Tested> {
  return await trial(options, async (steps) => {
    const { name } = row;
    if (!row.is_online) {
      const last = row.heard_at.toISOString().slice(0, 19).replace("T", " ");
      const why = row.left_at === null ? "it is not heard of" : "it was stopped";
      return steps.bad("listened for it", `${why} since ${last} UTC; start it with sluice encoder`, "NOT_REACHED");
    }
    const asked = await options.ask(name);
    try {
      const found = await steps.take(
        "listened for it",
        () => answered(steps, options, name, asked),
        () => "it speaks, and has tried what it can",
      );
      tell(steps, found);
    } finally {
      await options.over(asked);
    }
  });
}

async function answered(
  { signal }: Steps,
  { answer, clock }: EncoderTrialOptions & { readonly clock: Clock },
  name: string,
  asked: string,
): Promise<TrialReport> {
  for (let found = await answer(name, asked); !signal.aborted; found = await answer(name, asked)) {
    if (found !== undefined) return found;
    await clock.sleep(LOOK_MS, signal);
  }
  throw unavailable("TIMEOUT", "it did not answer in time");
}

function tell(steps: Steps, { self, failure, sees }: TrialReport): void {
  if (self === null) {
    steps.bad("ran its program", failure ?? "it could not be run", "PROGRAM_MISSING");
    return;
  }
  steps.well("ran its program", `${self.program} ${self.version}`);
  const codecs = [...self.codecs, ...self.audioCodecs].join(", ");
  if (self.codecs.length === 0)
    steps.bad("encoded a picture with each codec", "none of them works", "UNSUPPORTED_CODEC");
  else steps.well("encoded a picture with each codec", codecs);
  steps.well(
    "asked whether ffmpeg is kept off the network",
    self.hasNoNetwork ? "it has none" : "it has one, and no protocol to use it with",
  );
  steps.well(
    "looked for a file of ours",
    sees ? "it sees where films are put" : "it does not see it: films are sent over HTTP",
  );
}
