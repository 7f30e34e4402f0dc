// The process of one service: node main.ts <name> <port> <folder>.

import { beChild } from "../processes/child.ts";
import { scriptOf } from "../service/faults.ts";
import { SERVICES } from "./index.ts";

let script = scriptOf([]);
const child = beChild({
  onEnd: () => undefined,
  onFaults(faults) {
    script = scriptOf(faults);
  },
});
const [name, port, folder = "."] = process.argv.slice(2);
const service = SERVICES.find((one) => one.name === name);
if (service === undefined) throw new Error(`there is no service ${name}`);
await service.run({ port: Number(port), folder, script: () => script });
child.ready();
