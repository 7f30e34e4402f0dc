import type { ServerWorld, World } from "../world.ts";
import { describeBadInput } from "./bad-input.ts";
import { describeChildren } from "./children.ts";
import { describeCommits } from "./commits.ts";
import { describeFaults } from "./faults.ts";
import { describeFeed } from "./feed.ts";
import { describeIntake } from "./intake.ts";
import { describeKeys } from "./keys.ts";
import { describeOperating } from "./operate.ts";
import { describeOutcomes } from "./outcomes.ts";
import { describeQuestions } from "./questions.ts";
import { describeSeveral } from "./several.ts";
import { describeStages } from "./stages.ts";
import { describeWaitCycles } from "./wait-cycles.ts";

/** What holds on every database. */
export function describeAnywhere(world: World): void {
  describeStages(world);
  describeOutcomes(world);
  describeQuestions(world);
  describeChildren(world);
  describeFaults(world);
  describeCommits(world);
  describeIntake(world);
  describeKeys(world);
  describeOperating(world);
  describeWaitCycles(world);
  describeFeed(world);
  describeBadInput(world);
}

/** What takes more than one process's worth of connections. */
export function describeServers(world: ServerWorld): void {
  describeSeveral(world);
}
