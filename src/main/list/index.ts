// Every command: what it is called and takes, and where its code is. Nothing here loads that code before it is asked for: what a
// dead worker held waits for this program to start again in its children, and `sluice --help` for nothing at all.

import { ACTING } from "./acting.ts";
import { LOOKING } from "./looking.ts";
import { RUNNING } from "./running.ts";
import { SANDBOX } from "./sandbox.ts";
import type { CommandSpec } from "./spec.ts";
import { STARTING } from "./starting.ts";

export type { CommandSpec } from "./spec.ts";

export const COMMANDS: readonly CommandSpec[] = [...STARTING, ...LOOKING, ...ACTING, ...SANDBOX, ...RUNNING];
