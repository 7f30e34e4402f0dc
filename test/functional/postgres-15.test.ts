import { afterAll, beforeAll } from "vitest";
import { startServer } from "../support/server.ts";
import { describeDurability } from "./cases/durability.ts";
import { describeAnywhere, describeServers } from "./cases/index.ts";
import { serverWorld } from "./server-world.ts";

const world = serverWorld(async () => {
  const server = await startServer();
  return {
    address: (database) => ({ database: server.url(database) }),
    directUrl: server.url,
    stop: server.stop,
  };
});
beforeAll(() => world.open());
afterAll(() => world.close());

describeAnywhere(world);
describeServers(world);
describeDurability(world);
