// Many downloads on a scripted client, and on a real qBittorrent behind a door that counts who comes in.

import { rmSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { QbittorrentProcess } from "../../sandbox/media/qbittorrent-process.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { fakeTorrents, qbittorrent } from "../../src/connectors/index.ts";
import { startServer } from "../support/server.ts";
import { manyDownloads, type RoundCost } from "./many-downloads.ts";

export async function manyOnFake(downloads: number, rounds: number): Promise<RoundCost> {
  const fake = fakeTorrents({ service: "torrents:main" });
  const server = await startServer();
  return await manyDownloads({
    ...{ server, downloads, rounds, torrents: fake.client, folder: "/downloads" },
    calls: () => ({ ...fake.calls }),
  });
}

export async function manyOnQbittorrent(downloads: number, rounds: number): Promise<RoundCost> {
  const folder = temporaryFolder("sluice-many");
  const client = new QbittorrentProcess({ folder });
  await client.start();
  const door = await countingDoor(client.url);
  try {
    const { username, password } = client;
    const torrents = qbittorrent({ service: "torrents:main", baseUrl: door.url, username, password });
    const server = await startServer();
    return await manyDownloads({
      ...{ server, downloads, rounds, torrents, folder: client.downloads },
      calls: () => ({ ...door.calls }),
    });
  } finally {
    door.close();
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets everything through, and counts it by method and path. */
async function countingDoor(target: string) {
  const calls: Record<string, number> = {};
  const server = createServer((question, answer) => {
    const name = `${question.method} ${(question.url ?? "").split("?")[0]}`;
    calls[name] = (calls[name] ?? 0) + 1;
    const { method, headers, url = "/" } = question;
    const onward = ask(new URL(url, target), { method: method ?? "GET", headers }, (said) => {
      answer.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    question.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, not on a pipe
  return {
    calls,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const LOOK = { fake: "look", qbittorrent: "GET /api/v2/sync/maindata" } as const;
