// Where films come from: a service that hands them out piece by piece, each with a checksum.

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { answering } from "../service/answering.ts";
import type { ServiceDefinition } from "./definition.ts";

const PIECE_MEGABYTES = 100;
const PIECE_MS = 400;

export const source: ServiceDefinition = {
  name: "source",
  service: "source",
  about: "Hands out films, a piece at a time.",
  faults: ["hang", "error", "corrupt", "slow", "stall"],
  async run({ port, script }) {
    await answering(port, script, async ({ url }) => {
      const [, what, name = ""] = url.pathname.split("/");
      if (what !== "films") return { status: 404, json: { error: "films are all there is" } };
      const from = Number(url.searchParams.get("from") ?? 0);
      const { speed } = script();
      await sleep(PIECE_MS / (speed === 0 ? 1 : speed));
      const megabytes = speed === 0 ? 0 : PIECE_MEGABYTES;
      const data = `${name} from ${from} on`;
      return { status: 200, json: { megabytes, data, sha256: createHash("sha256").update(data).digest("hex") } };
    });
  },
};
