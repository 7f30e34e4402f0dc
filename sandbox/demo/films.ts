// The demo of films that are fetched, converted and published.

import { films, TARGETS } from "../pipeline.ts";
import { startWorld, type World } from "../world.ts";
import { live } from "./live.ts";
import { once } from "./once.ts";
import type { Show } from "./show.ts";

const ITEMS = 6;

export const filmsShow: Show<World> = {
  title: `films through ${films.stages.map(({ name }) => name).join(" → ")} (${TARGETS.join(", ")})`,
  parts: "a database, five services, a worker and a server",
  start: startWorld,
  live,
  async once(world, { items = ITEMS, ...options }) {
    const lost = await once(world, { items, ...options });
    return { lost, sentence: `All ${items} films are at all ${TARGETS.length} targets, each once.` };
  },
};
