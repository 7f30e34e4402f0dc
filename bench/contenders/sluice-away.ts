// A pipeline whose one stage calls a service, and a service that is well or not as it is told.

import { z } from "zod";
import { definePipeline, done, service, unavailable } from "../../src/engine/index.ts";

interface Client {
  isWell(): Promise<void>;
  work(): Promise<void>;
}

const away = service<Client>("away", { probe: (client) => client.isWell() });
export const calling = definePipeline("calling", { version: 1, input: z.object({ index: z.number() }) }).stage("call", {
  uses: away,
  async run({ call }) {
    await call(away, (client) => client.work());
    return done();
  },
});

/** Stalling, it is well, but what was begun lasts: calls that end would write on, and that is no part of closing. */
export function pretendedAway() {
  let state: "well" | "down" | "stalling" = "well";
  let worked = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isWell = async () => {
    if (state === "down") throw unavailable("AWAY", "nobody answers");
  };
  const work = async () => {
    await isWell();
    if (state === "stalling") await released;
    worked += 1;
  };
  return {
    client: { isWell, work },
    worked: () => worked,
    turn(next: typeof state) {
      state = next;
      if (next === "well") release();
    },
  };
}
