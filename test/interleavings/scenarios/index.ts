// Every scenario: the tests try them all, and guard mutation asks them which guard is missed.

import type { Scenario } from "../scenario.ts";
import { claiming } from "./claiming.ts";
import { intake } from "./intake.ts";
import { leases } from "./leases.ts";
import { operating } from "./operating.ts";
import { reading } from "./reading.ts";
import { settling } from "./settling.ts";
import { ending } from "./waiting.ts";

export const subjects: Readonly<Record<string, readonly Scenario[]>> = {
  claiming,
  settling,
  leases,
  waiting: ending,
  intake,
  operating,
  reading,
};

export const scenarios: readonly Scenario[] = Object.values(subjects).flat();
