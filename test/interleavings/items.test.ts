import { describeRaces } from "./describe-races.ts";
import { items } from "./scenarios/index.ts";

describeRaces(items);
