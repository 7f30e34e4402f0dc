// A little media server, in the words of Jellyfin, Emby or Plex, for the routes that are used.

import type { IncomingMessage } from "node:http";
import { MediaServerWorld, type MediaServerWorldOptions } from "../../src/connectors/index.ts";
import { LittleServer, type Said } from "./little-server.ts";

export interface LittleMediaServerOptions extends MediaServerWorldOptions {
  /** An API key or a token. */
  readonly key: string;
}

export class LittleMediaServer extends LittleServer {
  readonly world: MediaServerWorld;
  readonly #key: string;

  constructor({ key, ...options }: LittleMediaServerOptions) {
    super();
    this.world = new MediaServerWorld(options);
    this.#key = key;
  }

  protected override answer(url: URL, request: IncomingMessage, body: Buffer): Said {
    if (!this.#isKnown(request)) return { status: 401 };
    return this.world.kind === "plex" ? this.#plex(url) : this.#mediaBrowser(url, request, body);
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    switch (this.world.kind) {
      case "jellyfin":
        return headers.authorization === `MediaBrowser Token="${this.#key}"`;
      case "emby":
        return headers["x-emby-token"] === this.#key;
      case "plex":
        return headers["x-plex-token"] === this.#key;
    }
  }

  #mediaBrowser({ pathname }: URL, { method }: IncomingMessage, body: Buffer): Said {
    const { name, version, folders } = this.world;
    switch (`${method} ${pathname}`) {
      case "GET /System/Info":
        return json({ ServerName: name, Version: version, Id: "4f1f" });
      case "GET /Library/VirtualFolders":
        return json(folders.map((folder) => ({ Name: folder, Locations: [folder], CollectionType: "movies" })));
      case "POST /Library/Media/Updated": {
        const { Updates } = JSON.parse(body.toString()) as { Updates: readonly { readonly Path: string }[] };
        // It gathers what it is told for a while, and looks at each folder once.
        for (const folder of new Set(Updates.map(({ Path }) => Path.replace(/\/[^/]*$/, "")))) this.world.look(folder);
        return { status: 204 };
      }
      default:
        return { status: 404 };
    }
  }

  #plex({ pathname, searchParams }: URL): Said {
    const { name, version, folders } = this.world;
    if (pathname === "/") return json({ MediaContainer: { friendlyName: name, version, size: 1 } });
    if (pathname === "/library/sections") {
      const Directory = folders.map((path, at) => ({
        key: `${at + 1}`,
        type: "movie",
        Location: [{ id: at + 1, path }],
      }));
      return json({ MediaContainer: { size: folders.length, Directory } });
    }
    const section = /^\/library\/sections\/(\d+)\/refresh$/.exec(pathname)?.[1];
    if (section === undefined || folders[Number(section) - 1] === undefined) return { status: 404 };
    // All of it, where no folder is said.
    this.world.look(searchParams.get("path") ?? folders[Number(section) - 1] ?? "");
    return { status: 200 };
  }
}

const json = (value: unknown): Said => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
