// Makes of a film what players can play: long work behind the HTTP job API.

import { usual } from "../service/faults.ts";
import { runJobService } from "../service/job-service.ts";
import type { ServiceDefinition } from "./definition.ts";

export const converter: ServiceDefinition = {
  name: "converter",
  service: "converter",
  about: "Converts films, three at a time.",
  faults: usual("hang", "error", "corrupt", "slow", "stall", "lie", "lose"),
  run: (place) => runJobService(place, { atOnce: 3, megabytesPerSecond: 150, suffix: ".mp4" }),
};
