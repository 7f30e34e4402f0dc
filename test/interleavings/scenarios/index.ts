// Every scenario: the tests try them all, and guard mutation asks them which guard is missed. In two halves that take about
// as long, for a core each.

import type { Scenario } from "../scenario.ts";
import { acting } from "./acting.ts";
import { begun } from "./begun.ts";
import { bulk } from "./bulk.ts";
import { circles } from "./circles.ts";
import { claiming } from "./claiming.ts";
import { endings } from "./endings.ts";
import { entering } from "./entering.ts";
import { enteringAfar } from "./entering-afar.ts";
import { expiring } from "./expiring.ts";
import { finding } from "./finding.ts";
import { generations } from "./generations.ts";
import { halfWay } from "./half-way.ts";
import { handingInto } from "./handing-into.ts";
import { intake } from "./intake.ts";
import { intents } from "./intents.ts";
import { joining } from "./joining.ts";
import { lanes } from "./lanes.ts";
import { leases } from "./leases.ts";
import { leaving } from "./leaving.ts";
import { lingering } from "./lingering.ts";
import { living } from "./living.ts";
import { noting } from "./noting.ts";
import { oldWeeks } from "./old-weeks.ts";
import { operating } from "./operating.ts";
import { owing } from "./owing.ts";
import { parts } from "./parts.ts";
import { passing } from "./passing.ts";
import { probing } from "./probing.ts";
import { questions } from "./questions.ts";
import { rationing } from "./rationing.ts";
import { reading } from "./reading.ts";
import { removing } from "./removing.ts";
import { reopening } from "./reopening.ts";
import { scheduling } from "./scheduling.ts";
import { seeing } from "./seeing.ts";
import { services } from "./services.ts";
import { settlements } from "./settlements.ts";
import { settling } from "./settling.ts";
import { signals } from "./signals.ts";
import { staying } from "./staying.ts";
import { tallying } from "./tallying.ts";
import { turning } from "./turning.ts";
import { valves } from "./valves.ts";
import { watching } from "./watching.ts";

export type Subjects = Readonly<Record<string, readonly Scenario[]>>;

/** An item from its claim to its end. */
export const items: Subjects = {
  claiming,
  begun,
  lanes,
  turning,
  settling,
  settlements,
  endings,
  "half-way": halfWay,
  leases,
  living,
  lingering,
  signals,
  joining,
  parts,
  generations,
  reopening,
};

/** Who asks for items and acts on them, what they wait for and work with, and what is kept of them. */
export const surroundings: Subjects = {
  circles,
  questions,
  intake,
  entering,
  enteringAfar,
  "handing into": handingInto,
  operating,
  leaving,
  acting,
  bulk,
  expiring,
  noting,
  valves,
  passing,
  reading,
  services,
  probing,
  rationing,
  watching,
  seeing,
  intents,
  owing,
  staying,
  tallying,
  finding,
  scheduling,
  removing,
  "old-weeks": oldWeeks,
};

export const scenarios: readonly Scenario[] = [items, surroundings].flatMap((subjects) =>
  Object.values(subjects).flat(),
);
