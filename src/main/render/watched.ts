// How many items are watched, whether they fit the screen or not. Pure.

import type { ItemLine, Overview, Page } from "../../server/contract/wire.ts";

export interface Counts {
  readonly total: number;
  /** The counting stopped; there are more. */
  readonly isMore: boolean;
  /** Unknown where not all were looked at. */
  readonly byState: { readonly [state: string]: number } | undefined;
}

/** Of all that lives. */
export function liveCounts({ pipelines }: Pick<Overview, "pipelines">): Counts {
  const sum = (state: "queued" | "running" | "waiting" | "needsYou") =>
    pipelines.reduce((all, one) => all + one[state], 0);
  const byState = {
    running: sum("running"),
    queued: sum("queued"),
    waiting: sum("waiting"),
    "needs-you": sum("needsYou"),
  };
  const total = Object.values(byState).reduce((all, one) => all + one, 0);
  return { total, isMore: pipelines.some((one) => one.isMore), byState };
}

/** Of what a filter finds nobody keeps count: as far as the page goes. */
export function pageCounts({ entries, next }: Page<ItemLine>): Counts {
  const isMore = next !== null;
  const states = Map.groupBy(entries, ({ state }) => state);
  const byState = Object.fromEntries([...states].map(([state, items]) => [state, items.length]));
  return { total: entries.length, isMore, byState: isMore ? undefined : byState };
}

/** `240 items: 12 running, 228 queued` */
export function countsText({ total, isMore, byState = {} }: Counts): string {
  const states = Object.entries(byState).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  const whole = isMore ? `more than ${total} items` : total === 1 ? "1 item" : `${total} items`;
  return states.length === 0 ? whole : `${whole}: ${states.join(", ")}`;
}
