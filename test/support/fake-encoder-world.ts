// The fake encoder as the contract wants a world.

import type { EncoderContractWorld, FakeEncoder } from "../../src/connectors/index.ts";

const TICKS = 200;

export function fakeEncoderWorld({ client, world }: FakeEncoder): EncoderContractWorld {
  return {
    client,
    nextLife: () => client,
    film: async (name, is) => {
      const path = `/films/${name}.mkv`;
      world.put(path, { bytes: 1_000_000, durationMs: 60_000, is: is === "slow" || is === undefined ? "whole" : is });
      return path;
    },
    place: (name) => `/encoded/${name}`,
    has: (path) => world.truth().films.has(path),
    async until(asked, ref, isSo) {
      for (let i = 0; i < TICKS; i += 1) {
        const [seen] = await asked.look([ref]);
        if (seen !== undefined && isSo(seen)) return seen;
        world.tick();
      }
      throw new Error(`it never came to this: ${isSo}`);
    },
    pass: async () => world.tick(),
    programs: (key) => (world.truth().alive.includes(key) ? (world.truth().programs.get(key) ?? 0) : 0),
    parts: () => world.truth().parts,
    signal: (key, signal) => world.signal(key, signal),
    lie: (key) => world.lie(key, "cut-output"),
  };
}
