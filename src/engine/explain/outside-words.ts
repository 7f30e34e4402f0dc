// The sentence for an item whose work goes on elsewhere. Pure.

import type { Facts, OutsideFacts } from "./facts.ts";
import type { Phrases } from "./phrases.ts";
import type { TimeWords } from "./time-words.ts";

export function goingOnOutside(facts: Facts, times: TimeWords, phrases: Phrases): string | undefined {
  const { outside, service, stage } = facts;
  if (outside === null) return undefined;
  const where = service?.name ?? "the service";
  const at = outside.progress === null ? "" : `, ${Math.round(outside.progress)} %`;
  if (!outside.isLookedAfter) {
    const last = times.since(outside.activeAt);
    const seen = outside.hasMoved ? `it was last seen to move at ${last}` : "nothing was seen to move yet";
    return `In ${stage} at ${where}${at}${phrases.since}. As far as is known it goes on there (${seen}), but no worker runs that looks after it. Start one that serves ${stage} of ${facts.pipeline} version ${facts.version}. ${phrases.attempts}`;
  }
  if (service?.isOpen === true) {
    const why = service.message ?? service.code;
    const next = service.probeAt === null ? "" : ` Checked again at ${times.until(service.probeAt)}.`;
    return `In ${stage} at ${where}${at}${phrases.since}; ${where} is not answering${why === null ? "" : ` (${why})`}, so nobody knows how it stands.${next} ${phrases.attempts}`;
  }
  return `In ${stage} at ${where}${at}${phrases.since}. ${movement(outside, times)}`;
}

function movement(outside: OutsideFacts, times: TimeWords): string {
  switch (outside.state) {
    case "queued":
      return outside.inLine ?? "It is in line there.";
    case "paused":
      return "It is paused there; it goes on when its owner lets it.";
    case "running": {
      const last = times.since(outside.activeAt);
      const moved = outside.hasMoved ? `It last moved at ${last}.` : "Nothing has moved yet.";
      return outside.stallsAt === null
        ? moved
        : `${moved} Without movement it counts as stalled at ${times.until(outside.stallsAt)}.`;
    }
  }
}
