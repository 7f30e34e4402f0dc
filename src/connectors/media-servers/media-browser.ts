// Jellyfin and Emby, which have the same origin and still the same words for this.

import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import { type GuardedClientOptions, guardedClient } from "../kit/index.ts";
import { checkPaths, isBelow, type MediaServer } from "./media-server.ts";

export interface MediaBrowserOptions
  extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects" | "cookies" | "headers"> {
  /** Where its pages are: http://nas:8096 */
  readonly baseUrl: string;
  /** An API key, which its administrator makes. */
  readonly key: string;
}

const infoAnswer = z.object({ ServerName: z.string(), Version: z.string() });
const foldersAnswer = z.array(z.object({ Locations: z.array(z.string()).nullish() }));

export const jellyfin = (options: MediaBrowserOptions): MediaServer => mediaBrowser("jellyfin", options);
export const emby = (options: MediaBrowserOptions): MediaServer => mediaBrowser("emby", options);

function mediaBrowser(kind: "jellyfin" | "emby", { key, ...options }: MediaBrowserOptions): MediaServer {
  if (!/^[\w.~-]{1,200}$/.test(key)) throw new InputError("key", "key is an API key: letters, digits, - and _");
  const http = guardedClient({
    ...{ ...options, egress: "lan", redirects: "none" },
    // Emby's own header is to go away in Jellyfin, and Jellyfin's is not known to every Emby.
    headers: kind === "jellyfin" ? { authorization: `MediaBrowser Token="${key}"` } : { "x-emby-token": key },
  });
  const folders = async (signal?: AbortSignal): Promise<readonly string[]> =>
    (await http.json({ url: "Library/VirtualFolders", signal }, foldersAnswer)).flatMap(
      ({ Locations }) => Locations ?? [],
    );
  return {
    async about(signal) {
      const { ServerName: name, Version: version } = await http.json({ url: "System/Info", signal }, infoAnswer);
      return { kind, name, version, folders: await folders(signal) };
    },
    async refresh(paths, signal) {
      checkPaths(paths);
      signal?.throwIfAborted();
      if (paths.length === 0) return { strange: [] };
      const known = await folders(signal);
      const isKnown = (path: string) => known.some((folder) => isBelow(path, folder));
      const Updates = paths.filter(isKnown).map((Path) => ({ Path, UpdateType: "Created" }));
      if (Updates.length > 0)
        await http.ok({ method: "POST", url: "Library/Media/Updated", json: { Updates }, signal });
      return { strange: paths.filter((path) => !isKnown(path)) };
    },
  };
}
