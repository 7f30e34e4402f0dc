// Races on real connections, statement by statement: what one session in one process cannot show.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { ARENA_SERVER, Arena } from "./arena.ts";
import { explore } from "./explore.ts";
import type { Subjects } from "./scenarios/index.ts";

export function describeRaces(subjects: Subjects): void {
  let server: TestServer;
  let arena: Arena;

  beforeAll(async () => {
    server = await startServer(ARENA_SERVER);
    arena = await Arena.open(server, "interleavings");
  });

  afterAll(async () => {
    await arena?.close();
    await server?.stop();
  });

  for (const [subject, scenarios] of Object.entries(subjects)) {
    describe(subject, () => {
      it.each(scenarios)("$name", async (scenario) => {
        const { interleavings } = await explore(arena, scenario);
        expect(interleavings).toBeGreaterThan(0);
      });
    });
  }
}
