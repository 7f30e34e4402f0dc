// The board of encodes for worlds that are not about encoding.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncodeBoard, encodeBoard } from "../../src/apps/media/index.ts";
import type { Queryable } from "../../src/engine/index.ts";

export function boardOn(db: () => Promise<Queryable>, folder = join(tmpdir(), "sluice-no-encodes")): EncodeBoard {
  return encodeBoard({ db, folder, lostMs: 90_000, keepMs: 86_400_000 });
}
