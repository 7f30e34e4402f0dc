// What holds with every download client, with the one that comes with Sluice.
import { afterAll, beforeAll, describe } from "vitest";
import { EmbeddedWorld } from "../support/embedded-world.ts";
import { downloadedCases } from "./downloaded-cases.ts";
import { RealMediaWorld } from "./real-media-world.ts";

const world = new RealMediaWorld(new EmbeddedWorld(), {
  limits: { torrents: 50, stallNever: "20s", stallStopped: "20s" },
});
beforeAll(() => world.start());
afterAll(() => world.stop());

// Each has a film of its own, and waits for most of its time.
describe.concurrent("every client", () => downloadedCases(world));
