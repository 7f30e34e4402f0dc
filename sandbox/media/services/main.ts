// The process of one service: node main.ts <name>, with its place in the environment.

import { beChild } from "../../processes/child.ts";
import type { MediaPlace, RunningService } from "./definition.ts";
import { MEDIA_SERVICES } from "./index.ts";

let running: RunningService | undefined;
const child = beChild({
  onEnd: () => running?.end?.(),
  onFaults(faults) {
    Promise.resolve(running?.faults?.(new Set(faults))).catch(console.error);
  },
});
const service = MEDIA_SERVICES.find(({ name }) => name === process.argv[2]);
if (service === undefined) throw new Error(`there is no service ${process.argv[2]}`);
// Written by the world that started this.
running = await service.run(JSON.parse(process.env.SANDBOX_PLACE ?? "{}") as MediaPlace);
child.ready();
