// The worker of the media world, which can be killed. The same file runs again in the children that visit what a killed one held; there
// `openSluice` never returns, and the application has a small pool of its own.

import { inspect } from "node:util";
import type { MediaLimits } from "../../src/apps/media/index.ts";
import { isChildProcess, openSluice, openTables, type Sluice } from "../../src/engine/index.ts";
import { beChild } from "../processes/child.ts";
import { sandboxMedia } from "./app.ts";

const { SANDBOX_DATABASE = "", SANDBOX_KEY_FILE = "", SANDBOX_ENCODES = "" } = process.env;
const { SANDBOX_LIMITS = "{}", SANDBOX_CONCURRENCY = "20" } = process.env;
let sluice: Sluice | undefined;
const child = isChildProcess() ? undefined : beChild({ onEnd: () => sluice?.close() });
const say = (event: string, facts: unknown) => console.error(`${event} ${inspect(facts)}`);

let own: ReturnType<typeof openTables> | undefined;
const app = await sandboxMedia({
  async tables() {
    if (sluice !== undefined) return sluice.tables;
    own ??= openTables({ database: SANDBOX_DATABASE });
    return (await own).tables;
  },
  keyFile: SANDBOX_KEY_FILE,
  encodes: SANDBOX_ENCODES,
  // Written by the world that started this.
  limits: JSON.parse(SANDBOX_LIMITS) as Partial<MediaLimits>,
});
sluice = await openSluice({
  ...{ pipelines: app.pipelines, finders: app.finders, services: app.services, database: SANDBOX_DATABASE },
  worker: { name: "media-worker", concurrency: Number(SANDBOX_CONCURRENCY), grace: "1s" },
  log: { info: () => undefined, warn: say, error: say },
});
child?.ready();
