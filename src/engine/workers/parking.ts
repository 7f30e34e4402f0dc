// Which lane an item needs that may not exist yet: that of the service it waits for, or that was chosen for it.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { VisitResult } from "../items/standing.ts";
import { isParked, type ServiceView } from "../items/unavailable.ts";
import type { Held } from "./held.ts";
import type { Registry } from "./registry.ts";
import type { Services } from "./services.ts";
import { untilAnswered } from "./until-answered.ts";

export interface ParkingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: Registry;
}

/** Services as they matter for one item. */
export function servicesFor(held: Held, services: Pick<Services, "standing" | "isWellFor">): ServiceView {
  return {
    standing: (service) => services.standing(service),
    isWellForOthers: (service) => services.isWellFor(service, held.row.id),
  };
}

/** The service whose lane has to be made before this result can be decided; undefined where it is there, or none is needed. */
export function missingLane(
  held: Held,
  result: VisitResult,
  view: ServiceView,
  registry: Registry,
): string | undefined {
  return wantedServices(result, view).find((service) => registry.placeFor(held.place, service) === undefined);
}

function wantedServices(result: VisitResult, view: ServiceView): readonly string[] {
  if ("chosen" in result) return [result.chosen];
  if ("parts" in result) return "make" in result.parts ? result.parts.make.map((part) => part.service) : [];
  if (!("fault" in result) || result.fault.service === undefined) return [];
  return isParked(result.fault, view) ? [result.fault.service] : [];
}

/** Tried until the database answers, or the item is somebody else's. */
export async function makeLane(held: Held, service: string, ports: ParkingPorts, isOurs: () => boolean): Promise<void> {
  const { db, clock, log, registry } = ports;
  await untilAnswered(
    () => registry.laneFor(db, held.place, service),
    clock,
    isOurs,
    (error) => log.warn("lane.unmade", { service, error: safeText(error, 300) }),
  );
}
