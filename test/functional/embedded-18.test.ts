import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";
import { describeAnywhere, describeServers } from "./cases/index.ts";
import { serverWorld } from "./server-world.ts";

const world = serverWorld(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-embedded-"));
  const server = await openEmbedded({ folder: path.join(folder, "data") });
  const url = (database: string) => {
    const at = new URL(server.url);
    at.pathname = `/${database}`;
    return at.href;
  };
  return {
    address: (database) => ({ database: url(database) }),
    directUrl: url,
    async stop() {
      await server.leave();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
beforeAll(() => world.open());
afterAll(() => world.close());

describeAnywhere(world);
describeServers(world);
