// What was left behind at servers: parts whose item was cancelled, failed or is gone, and what all or nothing has to take back. Each is an
// item of its own, which is at it until the server has confirmed that it is gone.

import { z } from "zod";
import { again, definePipeline, done, Fault, finder, skip, wait } from "../../../engine/index.ts";
import type { MediaPorts } from "../ports.ts";
import type { LeftDelivery } from "./leaving.sql.ts";
import { withdraw } from "./naming.ts";

const leftover = z.object({ server: z.string(), path: z.string(), item_id: z.string(), part_id: z.string() });

export function leftovers(ports: MediaPorts) {
  const { deliveries, services, limits } = ports;
  const pipeline = definePipeline("media-leftovers", { version: 1, input: leftover, title: titleOf }).stage("remove", {
    words: ["PENDING", "REMOVING"],
    parts: ({ input }) => [input.server],
    uses: services.servers,
    async run({ input, part, call, signal }) {
      if (!(await deliveries.isStillLeft(input))) return skip("somebody has taken it up again, or it is gone");
      try {
        await call(services.servers(part), ({ destination }) => withdraw(input, ports, destination, signal));
      } catch (error) {
        if (!isUnset(error)) return later(error);
        // A server that is set no more is asked nothing: what lies there is its owner's.
        const left = await deliveries.letGo(input);
        if (left !== undefined) await deliveries.drop(left);
      }
      return done();
    },
  });
  const found = finder("media-leftovers", {
    every: limits.leftoversEvery,
    pipeline,
    unique: "live",
    find: async ({ limit }) => ({
      found: (await deliveries.left(limit)).map(({ server, path, item_id, part_id }) => ({
        key: `${server}/${item_id}/${part_id}`,
        input: { server, path, item_id, part_id },
      })),
    }),
  });
  return { pipeline, finder: found };
}

/** Never given up: what cannot be removed now is asked for again, and people are told why. */
function later(error: unknown) {
  // An outage is the engine's to wait for.
  if (!(error instanceof Fault) || error.kind === "unavailable") throw error;
  return error.kind === "permanent" ? wait("not_removed", { again: "1h", note: error.message }) : again("1m");
}

const isUnset = (error: unknown): boolean => error instanceof Fault && error.code === "SERVER_NOT_SET";

const titleOf = ({ server, path }: LeftDelivery): string => `${path} at ${server}`;
