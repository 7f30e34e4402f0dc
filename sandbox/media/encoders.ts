// The encoder nodes of a world: what each is told, and what is left of them in the end.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Sluice } from "../../src/engine/index.ts";
import { Access } from "../../src/server/access/access.ts";
import { ensureAdmin, type GivenAdmin } from "../../src/server/access/ensure-admin.ts";
import { freshKey } from "../fresh-key.ts";
import type { Thing } from "../things.ts";
import { ENCODERS, encoderThing, slowFfmpeg } from "./encoder-thing.ts";
import type { MediaPace } from "./services/definition.ts";

const KEY = { scopes: ["encode"], lastsMs: 30 * 24 * 3_600_000 } as const;

export interface EncoderNodes {
  readonly things: readonly Thing[];
  start(): Promise<void>;
  /** With what one that was killed has left: a runner ends when its folder is gone. */
  stop(): Promise<void>;
}

export interface EncoderNodesOptions {
  readonly sluice: Sluice;
  /** Who lets them in; made where there is no such account yet. */
  readonly admin: GivenAdmin;
  readonly folder: string;
  /** The server's. */
  readonly port: number;
  readonly pace: MediaPace;
}

export async function encoderNodes({ sluice, admin, folder, port, pace }: EncoderNodesOptions): Promise<EncoderNodes> {
  await ensureAdmin(new Access({ tables: sluice.tables, now: () => performance.now() }), admin);
  const tokens = new Map<string, string>();
  for (const name of ENCODERS) tokens.set(name, await freshKey(sluice, { ...KEY, name, user: admin.name }));
  const { encodeSpeed, encodesAtATime: slots } = pace;
  const ffmpeg = encodeSpeed === null ? null : slowFfmpeg(folder, encodeSpeed);
  const workOf = (name: string) => join(folder, name);
  const things = ENCODERS.map((name) =>
    encoderThing({ name, port, token: tokens.get(name) ?? "", slots, ffmpeg, folder: workOf(name) }),
  );
  return {
    things,
    start: async () => void (await Promise.all(things.map(({ process }) => process.start()))),
    async stop() {
      await Promise.all(things.map(({ process }) => process.stop()));
      for (const name of ENCODERS) rmSync(workOf(name), { recursive: true, force: true });
    },
  };
}
