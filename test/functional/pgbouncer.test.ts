import { afterAll, beforeAll } from "vitest";
import { startPgbouncer } from "../support/pgbouncer.ts";
import { startServer } from "../support/server.ts";
import { describeAnywhere, describeServers } from "./cases/index.ts";
import { serverWorld } from "./server-world.ts";

const world = serverWorld(async () => {
  const server = await startServer();
  const pooler = await startPgbouncer(server);
  return {
    address: (database) => ({ database: pooler.url(database), pooled: true }),
    directUrl: server.url,
    async stop() {
      await pooler.stop();
      await server.stop();
    },
  };
});
beforeAll(() => world.open());
afterAll(() => world.close());

describeAnywhere(world);
describeServers(world);
