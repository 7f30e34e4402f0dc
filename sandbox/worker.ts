// The worker of the sandbox, which can be killed. The same file runs again in the children that visit what a killed one held; there
// `openSluice` never returns.

import { inspect } from "node:util";
import { isChildProcess, openSluice, type Sluice } from "../src/engine/index.ts";
import { clientsFor, type Ports } from "./clients.ts";
import { films } from "./pipeline.ts";
import { beChild } from "./processes/child.ts";

const { SANDBOX_DATABASE = "", SANDBOX_PORTS = "{}" } = process.env;
let sluice: Sluice | undefined;
const child = isChildProcess() ? undefined : beChild({ onEnd: () => sluice?.close() });
const say = (event: string, facts: unknown) => console.error(`${event} ${inspect(facts)}`);

sluice = await openSluice({
  pipelines: [films],
  // The sandbox itself says where its services are.
  services: clientsFor(JSON.parse(SANDBOX_PORTS) as Ports),
  database: SANDBOX_DATABASE,
  worker: { name: "demo-worker", concurrency: 20, grace: "1s" },
  log: { info: () => undefined, warn: say, error: say },
});
child?.ready();
