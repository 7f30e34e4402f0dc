// Every service of the sandbox. One more is a file beside this one, and a line here.

import { converter } from "./converter.ts";
import type { ServiceDefinition } from "./definition.ts";
import { publishers } from "./publishers.ts";
import { source } from "./source.ts";

export const SERVICES: readonly ServiceDefinition[] = [source, converter, ...publishers];
