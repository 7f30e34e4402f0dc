// Where films come from: a service that hands them out piece by piece.

import { setTimeout as sleep } from "node:timers/promises";
import { answering } from "../service/answering.ts";
import { usual } from "../service/faults.ts";
import type { ServiceDefinition } from "./definition.ts";

const PIECE_MEGABYTES = 100;
const PIECE_MS = 400;

export const source: ServiceDefinition = {
  name: "source",
  service: "source",
  about: "Hands out films, a piece at a time.",
  faults: {
    ...usual("hang", "error", "corrupt", "slow"),
    stall: {
      does: "Answers, and hands out nothing.",
      expect: "Films stay where they are in fetch, and are looked after every 2 seconds, from their checkpoints on.",
    },
  },
  async run({ port, script }) {
    await answering(port, script, async ({ url }) => {
      const [, what] = url.pathname.split("/");
      if (what !== "films") return { status: 404, json: { error: "films are all there is" } };
      await sleep(PIECE_MS);
      // Slow is less at a time: whoever asks does not wait for longer than a few seconds.
      return { status: 200, json: { megabytes: PIECE_MEGABYTES * script().speed } };
    });
  },
};
