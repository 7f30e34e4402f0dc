import type { World } from "../world.ts";
import { describeChildren } from "./children.ts";
import { describeCommits } from "./commits.ts";
import { describeFaults } from "./faults.ts";
import { describeOutcomes } from "./outcomes.ts";
import { describeStages } from "./stages.ts";

/** What holds on every database. */
export function describeAnywhere(world: World): void {
  describeStages(world);
  describeOutcomes(world);
  describeChildren(world);
  describeFaults(world);
  describeCommits(world);
}
