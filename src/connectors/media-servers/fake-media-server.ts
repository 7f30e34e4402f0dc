// The fake media server: the same functions on a world in memory, with troubles on demand.

import type { Clock } from "../../kit/index.ts";
import { type Trouble, Troubles } from "../kit/index.ts";
import { checkPaths, folderOf, isBelow, type MediaServer, type Refreshed } from "./media-server.ts";
import { MediaServerWorld, type MediaServerWorldOptions } from "./media-server-world.ts";

export type MediaServerCall = keyof MediaServer;

export interface FakeMediaServerOptions extends MediaServerWorldOptions {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeMediaServer {
  readonly client: MediaServer;
  /** The other side, and what it knows. */
  readonly world: MediaServerWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: MediaServerCall, ...troubles: readonly Trouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<MediaServerCall, number>>;
}

export function fakeMediaServer(options: FakeMediaServerOptions = {}): FakeMediaServer {
  const { service = "fake-media-server", clock } = options;
  const world = new MediaServerWorld(options);
  const { kind, name, version, folders } = world;
  const calls: Record<MediaServerCall, number> = { about: 0, refresh: 0 };
  const troubles = new Troubles<MediaServerCall>(service, calls, clock);
  return {
    client: {
      about: (signal) => troubles.answer("about", signal, () => ({ kind, name, version, folders })),
      refresh: async (paths, signal) => {
        checkPaths(paths);
        signal?.throwIfAborted();
        if (paths.length === 0) return { strange: [] };
        return troubles.answer("refresh", signal, () => refresh(world, paths));
      },
    },
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

function refresh(world: MediaServerWorld, paths: readonly string[]): Refreshed {
  const isKnown = (path: string) => world.folders.some((folder) => isBelow(path, folder));
  for (const folder of new Set(paths.filter(isKnown).map(folderOf))) world.look(folder);
  return { strange: paths.filter((path) => !isKnown(path)) };
}
