// What holds with every download client, and what only a real qBittorrent shows.
import { afterAll, beforeAll, describe } from "vitest";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { downloadedCases } from "./downloaded-cases.ts";
import { RealMediaWorld } from "./real-media-world.ts";

const world = new RealMediaWorld(new QbittorrentWorld(), { torrents: 50, stallNever: "10s", stallStopped: "10s" });
beforeAll(() => world.start());
afterAll(() => world.stop());

// Each has a film of its own, and waits for most of its time.
describe.concurrent("every client", () => downloadedCases(world));
