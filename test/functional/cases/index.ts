import type { ServerWorld, World } from "../world.ts";
import { describeActions } from "./actions.ts";
import { describeBadInput } from "./bad-input.ts";
import { describeBadOrders } from "./bad-orders.ts";
import { describeBulk } from "./bulk.ts";
import { describeChildren } from "./children.ts";
import { describeCommits } from "./commits.ts";
import { describeFaults } from "./faults.ts";
import { describeFeed } from "./feed.ts";
import { describeHandlers } from "./handlers.ts";
import { describeIntake } from "./intake.ts";
import { describeKeys } from "./keys.ts";
import { describeOperating } from "./operate.ts";
import { describeOutcomes } from "./outcomes.ts";
import { describeQuestions } from "./questions.ts";
import { describeReads } from "./reads.ts";
import { describeRecurring } from "./recurring.ts";
import { describeRemoving } from "./removing.ts";
import { describeSeveral } from "./several.ts";
import { describeStages } from "./stages.ts";
import { describeSwitches } from "./switches.ts";
import { describeTurns } from "./turns.ts";
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
  describeActions(world);
  describeBulk(world);
  describeSwitches(world);
  describeRecurring(world);
  describeHandlers(world);
  describeTurns(world);
  describeReads(world);
  describeRemoving(world);
  describeWaitCycles(world);
  describeFeed(world);
  describeBadInput(world);
  describeBadOrders(world);
}

/** What takes more than one process's worth of connections. */
export function describeServers(world: ServerWorld): void {
  describeSeveral(world);
}
