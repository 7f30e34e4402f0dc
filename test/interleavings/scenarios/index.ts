// Every scenario: the tests try them all, and guard mutation asks them which guard is missed.

import type { Scenario } from "../scenario.ts";
import { claiming } from "./claiming.ts";
import { leases } from "./leases.ts";
import { settling } from "./settling.ts";
import { ending } from "./waiting.ts";

export const subjects: Readonly<Record<string, readonly Scenario[]>> = { claiming, settling, leases, waiting: ending };

export const scenarios: readonly Scenario[] = Object.values(subjects).flat();
