// What every client of a media server has to do, the fake and the real ones alike. Plain functions on node:assert, so that any test
// runner can run them on any implementation.

import { deepEqual, ok, rejects } from "node:assert/strict";
import { Fault } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import type { MediaServer } from "./media-server.ts";
import type { MediaServerWorld } from "./media-server-world.ts";

export interface MediaServerContractWorld {
  readonly client: MediaServer;
  /** With libraries in /media/films and /media/series. */
  readonly world: MediaServerWorld;
  /** Whether it can be reached. */
  down(isDown: boolean): Promise<void>;
}

export interface MediaServerContractCase {
  readonly name: string;
  readonly run: (world: MediaServerContractWorld) => Promise<void>;
}

const FILM = "/media/films/Ein Film (2024)/Ein Film (2024).mkv";

export const mediaServerContract: readonly MediaServerContractCase[] = [
  {
    name: "it says who it is and where its libraries are",
    async run({ client, world: { kind, name, version, folders } }) {
      deepEqual(await client.about(), { kind, name, version, folders });
    },
  },
  {
    name: "files of one folder are one look at it, and each folder gets its own",
    async run({ client, world }) {
      const season = "/media/series/Eine Serie/Season 01";
      const { strange } = await client.refresh([FILM, `${season}/e1.mkv`, `${season}/e2.mkv`]);
      deepEqual(strange, []);
      deepEqual(world.truth(), { told: ["/media/films/Ein Film (2024)", season], inVain: [] });
    },
  },
  {
    name: "what lies in no library is told back, and nobody is sent to look for it",
    async run({ client, world }) {
      const elsewhere = ["/media/music/a.mkv", "/media/films2/b.mkv", "/media/films", "/"];
      deepEqual(await client.refresh([...elsewhere, FILM]), { strange: elsewhere });
      deepEqual(await client.refresh(elsewhere), { strange: elsewhere });
      deepEqual(world.truth(), { told: ["/media/films/Ein Film (2024)"], inVain: [] });
    },
  },
  {
    name: "paths arrive as they are, whatever is in them",
    async run({ client, world }) {
      const folders = ["Ümlaute & Ñ", "100% #1?", `it's "quoted" + more`, "日本語 🎬", "a=b&path=/etc"];
      await client.refresh(folders.map((folder) => `/media/films/${folder}/film.mkv`));
      deepEqual(
        world.truth().told,
        folders.map((folder) => `/media/films/${folder}`),
      );
    },
  },
  {
    name: "told twice is no harm, and told nothing asks nobody",
    async run({ client, world, down }) {
      await client.refresh([FILM]);
      await client.refresh([FILM]);
      deepEqual(world.truth().told.length, 2);
      await down(true);
      deepEqual(await client.refresh([]), { strange: [] });
      await down(false);
    },
  },
  {
    name: "what cannot be a path is refused, before anybody is asked",
    async run({ client, world }) {
      for (const path of [
        "",
        "film.mkv",
        "media/films/a.mkv",
        "/media/films/../../etc",
        "/a\0b",
        "/a\nb",
        `/${"x".repeat(4_096)}`,
      ])
        await rejects(client.refresh([FILM, path]), InputError, JSON.stringify(path));
      deepEqual(world.truth().told, []);
    },
  },
  {
    name: "a server that is down is unavailable, and an aborted call rejects with its reason",
    async run({ client, down }) {
      await down(true);
      const isDown = (error: unknown) =>
        error instanceof Fault && error.kind === "unavailable" && error.code === "NOT_REACHED";
      await rejects(client.about(), isDown);
      await rejects(client.refresh([FILM]), isDown);
      await down(false);
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(client.about(AbortSignal.abort(reason)), (error) => error === reason);
      await rejects(client.refresh([FILM], AbortSignal.abort(reason)), (error) => error === reason);
      ok(await client.about());
    },
  },
];
