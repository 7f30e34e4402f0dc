// The job service as a process that can be killed: the HTTP job API over a memory that is on disk. Its parent tells it
// how to misbehave; it tells its parent which jobs have ended, as a webhook would, and whoever misses that can look.

import { seededRandom } from "../../src/kit/index.ts";
import { JobServer } from "../support/job-server.ts";
import type { Asked } from "./evidence.ts";
import { LoggedWorld } from "./job-log.ts";
import type { Begun, Ended, Order } from "./job-service.ts";

const [, , port, file = ""] = process.argv;
const TICK_MS = 250;

class DoomedWorld extends LoggedWorld {
  isDoomed = false;

  /** It did what it was asked to, and nobody ever hears of it. */
  override start(key: string, input: unknown): { readonly id: string; readonly isNew: boolean } {
    const started = super.start(key, input);
    // As in the log: nobody else speaks to this service.
    process.send?.({ begun: (input as Asked).tag } satisfies Begun);
    if (this.isDoomed) process.kill(process.pid, "SIGKILL");
    return started;
  }
}

const world = new DoomedWorld(file);
const server = new JobServer({}, world);
// Slow enough that something is always under way: an outage that hits nobody's call proves little.
const random = seededRandom(process.pid);
server.slowness = () => 30 + random.fraction() * 270;
await server.up(Number(port));

// Only the parent sends, and only these.
process.on("message", (order: Order) => {
  if (order === "die in the next start") world.isDoomed = true;
  else server.standing = order === "answer" ? undefined : order;
});
process.on("disconnect", () => process.exit());

let told = new Set(world.truth().effects.keys());
setInterval(() => {
  world.tick();
  const ended = [...world.truth().effects.keys()];
  for (const key of ended)
    if (!told.has(key)) process.send?.({ key, output: world.byKey(key)[0]?.result } satisfies Ended);
  told = new Set(ended);
}, TICK_MS);
process.send?.("up");
