// All of encoding that stands on the board, with the same folder and the same numbers.

import { resolve } from "node:path";
import type { Tables } from "../../../engine/index.ts";
import { type Clock, toMilliseconds } from "../../../kit/index.ts";
import { MEDIA_LIMITS, type MediaLimits } from "../limits.ts";
import { encodeBoard } from "./board.ts";
import { EncoderDesk } from "./desk.ts";
import { Encoders } from "./encoders.ts";
import { encoderTrials } from "./trials.ts";

export interface EncodingOptions {
  readonly tables: () => Promise<Tables>;
  readonly folder: string | undefined;
  readonly limits: Partial<MediaLimits> | undefined;
  readonly clock: Clock;
}

const FOLDER = "data/encodes";

export function encodingParts({ tables: db, folder: asked, limits, clock }: EncodingOptions) {
  const { encoderLost, encoderSays, encodesKept, encodeAgain } = { ...MEDIA_LIMITS, ...limits };
  const folder = resolve(asked ?? FOLDER);
  const lostMs = toMilliseconds(encoderLost, "encoderLost");
  return {
    board: encodeBoard({ db, folder, lostMs, keepMs: toMilliseconds(encodesKept, "encodesKept") }),
    desk: new EncoderDesk({
      ...{ folder, lostMs, sayMs: toMilliseconds(encoderSays, "encoderSays") },
      ...{ againMs: toMilliseconds(encodeAgain, "encodeAgain"), clock },
    }),
    encoders: new Encoders({ lostMs }),
    trials: encoderTrials(db, folder),
  };
}
