// Where films are published: three services of a kind, each with a folder of its own and a quota.

import { usual } from "../service/faults.ts";
import { runJobService } from "../service/job-service.ts";
import type { ServiceDefinition } from "./definition.ts";

const QUOTA_BYTES = 1_000_000;

function publisher(name: string, about: string, megabytesPerSecond: number): ServiceDefinition {
  return {
    ...{ name, about, service: `publisher:${name}` },
    faults: usual("hang", "error", "corrupt", "slow", "stall", "lie", "lose", "fill"),
    run: (place) => runJobService(place, { atOnce: 4, megabytesPerSecond, suffix: ".mp4", quotaBytes: QUOTA_BYTES }),
  };
}

export const publishers: readonly ServiceDefinition[] = [
  publisher("library", "Publishes to the library in the house; a folder of 1 MB.", 400),
  publisher("website", "Publishes to the website; a folder of 1 MB.", 250),
  publisher("archive", "Publishes to the archive; a folder of 1 MB.", 300),
];
