// How everything stands, to one who sees what is theirs alone: as if nothing else were there. What adds up everybody's work (how long it took,
// what became of it) has nobody's name on it any more, and is left out. Pure.

import type { Affected, OwnStage, StageFigures, StageLimits } from "../../engine/index.ts";

type Place = Pick<OwnStage, "pipeline" | "version" | "stage">;

const NOTHING = { visits: 0, passed: 0, faults: 0, failed: 0 };

const isAt = (place: Place) => (one: OwnStage) =>
  one.pipeline === place.pipeline && one.version === place.version && one.stage === place.stage;

function sumOf(own: readonly OwnStage[], what: (one: OwnStage) => number): number {
  return own.reduce((sum, one) => sum + what(one), 0);
}

const inLine = ({ queued, waiting, asking }: OwnStage) => queued + waiting + asking;

export function ownFigures(figures: readonly StageFigures[], own: readonly OwnStage[]): StageFigures[] {
  return figures.map(({ pipeline, version, stage }) => {
    const here = own.filter(isAt({ pipeline, version, stage }));
    return {
      ...{ pipeline, version, stage, isMore: false, lastHour: NOTHING, lastDay: NOTHING, stay: null, work: null },
      queued: sumOf(here, (one) => one.queued),
      running: sumOf(here, (one) => one.running),
      waiting: sumOf(here, (one) => one.waiting),
      needsYou: sumOf(here, (one) => one.asking),
    };
  });
}

/** How many may be there at a time is no secret; how many are is. */
export function ownLimits(limits: readonly StageLimits[], own: readonly OwnStage[]): StageLimits[] {
  const running = (through: readonly OwnStage[]) => sumOf(through, (one) => one.running);
  return limits.map((stage) => ({
    ...stage,
    lanes: stage.lanes.map((lane) => {
      const { service } = lane;
      const through = own.filter((one) => one.service === (service?.name ?? ""));
      const told = service === null ? null : { ...service, inside: running(through) };
      return { ...lane, inside: running(through.filter(isAt(stage))), service: told };
    }),
  }));
}

/** How many of theirs stand in line for each service. */
export function ownBehind(own: readonly OwnStage[]): ReadonlyMap<string, number> {
  const services = Map.groupBy(own, (one) => one.service);
  return new Map([...services].map(([service, those]) => [service, sumOf(those, inLine)]));
}

export function ownAffected(affects: readonly Affected[], service: string, own: readonly OwnStage[]): Affected[] {
  return affects.map((one) => {
    const here = own.filter((each) => each.service === service).filter(isAt(one));
    return { ...one, waiting: sumOf(here, inLine), running: sumOf(here, ({ running }) => running) };
  });
}
