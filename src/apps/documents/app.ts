// The documents application whole: its pipelines, the gateway that is configured, and what its routes ask.

import { prepareTables, type Tables } from "../../engine/index.ts";
import { type Clock, systemClock, systemRandom } from "../../kit/index.ts";
import type { Places } from "./files/places.ts";
import { Room } from "./files/room.ts";
import type { FetchOptions } from "./intake/fetch.ts";
import { UploadBrake } from "./intake/upload-brake.ts";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./limits.ts";
import { documentPipelines } from "./pipeline.ts";
import { type DocumentGateway, GATEWAY } from "./services.ts";
import { documentStore } from "./store/store.ts";
import { DOCUMENT_TABLES } from "./store/tables.sql.ts";
import { upkeepSchedule } from "./upkeep/upkeep.ts";
import { Mappings } from "./view/mappings.ts";

export interface DocumentOptions {
  /** Asked for when it is needed: a stage may run where no engine is open. */
  readonly tables: () => Promise<Tables>;
  readonly gateway: DocumentGateway;
  readonly places: Places;
  readonly limits?: Partial<DocumentLimits>;
  readonly clock?: Clock;
  readonly newName?: () => string;
  /** How addresses are fetched; as `fetchDocument` does it, unless it is said. */
  readonly fetching?: FetchOptions;
  /** How much is free where a folder is; what the system says, unless a test does. */
  readonly freeIn?: (folder: string) => Promise<number>;
}

/** Of a file while it is written; no two alike. */
const randomName = () => `${systemRandom.token().toString(36)}${systemRandom.token().toString(36)}`;

export type DocumentsApp = ReturnType<typeof documentsApp>;

export function documentsApp(options: DocumentOptions) {
  const { tables, gateway, places, clock = systemClock, newName = randomName, fetching = {} } = options;
  const limits = { ...DOCUMENT_LIMITS, ...options.limits };
  const { freeIn } = options;
  const room = new Room({ places, leastBytes: limits.freeBytes, ...(freeIn === undefined ? {} : { freeIn }) });
  const given = { store: documentStore(tables), places, newName };
  const { once, jobs, upkeep } = documentPipelines(given, limits);
  return {
    ...{ limits, places, newName, fetching, clock, room },
    /** The version that what is uploaded gets. */
    pipeline: "once" in gateway ? once : jobs,
    pipelines: [once, jobs, upkeep],
    schedules: [upkeepSchedule(upkeep)],
    services: { [GATEWAY]: gateway },
    brake: new UploadBrake(limits, () => clock.monotonic()),
    mappings: new Mappings(gateway, limits.mapping, clock),
    roomRefusal: () => room.refusal(),
  };
}

export async function prepareDocumentTables(tables: Tables): Promise<void> {
  await prepareTables(tables, "documents", DOCUMENT_TABLES);
}
