// Runs scenarios by name and prints how many interleavings each has: for writing new ones.
//   node test/interleavings/try.ts [part of a name]

import { startServer } from "../support/server.ts";
import { ARENA_SERVER, Arena } from "./arena.ts";
import { explore } from "./explore.ts";
import { scenarios } from "./scenarios/index.ts";

const wanted = process.argv[2] ?? "";
const server = await startServer(ARENA_SERVER);
try {
  const arena = await Arena.open(server, "trying");
  for (const scenario of scenarios.filter(({ name }) => name.includes(wanted))) {
    const start = performance.now();
    try {
      const { interleavings, waits } = await explore(arena, scenario);
      const ms = Math.round(performance.now() - start);
      console.log(`ok  ${scenario.name}: ${interleavings} interleavings, ${waits} waits, ${ms} ms`);
    } catch (error) {
      console.log(`RED ${error instanceof Error ? error.message : error}`);
    }
  }
  await arena.close();
} finally {
  await server.stop();
}
