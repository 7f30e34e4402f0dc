import { describeRaces } from "./describe-races.ts";
import { surroundings } from "./scenarios/index.ts";

describeRaces(surroundings);
