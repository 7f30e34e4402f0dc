// What of a stage's limits is told, and how. Pure.

import type { Pipeline } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";

const texts = words.pipelines.limits;
export type Limits = Pipeline["versions"][number]["stages"][number]["limits"];
export type LimitedService = NonNullable<Limits["lanes"][number]["service"]>;

/** How many are inside, of how many: one line, or one for each service in which the stage has places of its own. */
export function placesOf({ lanes }: Limits): readonly string[] {
  const capped = lanes.filter(({ cap }) => cap !== null);
  if (capped.length < 2) {
    const inside = lanes.reduce((sum, lane) => sum + lane.inside, 0);
    return [texts.inside(capped[0]?.inside ?? inside, capped[0]?.cap ?? null)];
  }
  return capped.map(({ inside, cap, service }) =>
    service === null ? texts.inside(inside, cap) : texts.of(service.name, texts.inside(inside, cap)),
  );
}

/** The same in all of them. */
export function perKeyOf({ lanes }: Limits): number | null {
  return lanes.find(({ perKey }) => perKey !== null)?.perKey ?? null;
}

export function servicesOf({ lanes }: Limits): readonly LimitedService[] {
  return lanes.flatMap(({ service }) => (service === null ? [] : [service]));
}

export function serviceWords({ inside, capacity, limit }: LimitedService): string {
  const rate = limit === null ? "" : words.services.limit(limit.count, limit.perMs);
  return [texts.inside(inside, capacity), rate].filter((part) => part !== "").join(" · ");
}
