// node bench/measure.ts ASSIGNMENT: one contender, once, in a process of its own, so that nobody's garbage or compiled
// code is another's. Prints the figures as the last line, as JSON.

import type { Assignment } from "./workload.ts";
import { workloads } from "./workloads/index.ts";

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error("what is to be measured is given as JSON");
// Written by run.ts alone.
const assignment = JSON.parse(given) as Assignment;
const workload = workloads[assignment.workload];
if (workload === undefined) throw new Error(`no workload is called ${assignment.workload}`);
const sample = await workload.measure(assignment);
process.stdout.write(`\n${JSON.stringify(sample)}\n`);
// Some contenders leave timers behind.
process.exit(0);
