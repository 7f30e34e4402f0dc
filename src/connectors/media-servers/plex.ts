// Plex Media Server.

import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import { type GuardedClientOptions, guardedClient } from "../kit/index.ts";
import { checkPaths, folderOf, isBelow, type MediaServer } from "./media-server.ts";

export interface PlexOptions
  extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects" | "cookies" | "headers"> {
  /** Where it answers: http://nas:32400 */
  readonly baseUrl: string;
  /** Its X-Plex-Token. */
  readonly token: string;
}

const serverAnswer = z.object({ MediaContainer: z.object({ friendlyName: z.string(), version: z.string() }) });
const sectionsAnswer = z.object({
  MediaContainer: z.object({
    Directory: z
      .array(
        z.object({
          key: z.string().regex(/^\d+$/),
          Location: z.array(z.object({ path: z.string() })).optional(),
        }),
      )
      .optional(),
  }),
});

export function plex({ token, ...options }: PlexOptions): MediaServer {
  if (!/^[\w.~-]{1,200}$/.test(token))
    throw new InputError("token", "token is a token of Plex: letters, digits, - and _");
  const http = guardedClient({
    ...{ ...options, egress: "lan", redirects: "none" },
    headers: { accept: "application/json", "x-plex-token": token },
  });
  /** Folders of all its libraries, with the library's number. */
  async function places(
    signal?: AbortSignal,
  ): Promise<readonly { readonly section: string; readonly folder: string }[]> {
    const { MediaContainer: all } = await http.json({ url: "library/sections", signal }, sectionsAnswer);
    return (all.Directory ?? []).flatMap(({ key, Location = [] }) =>
      Location.map(({ path }) => ({ section: key, folder: path })),
    );
  }
  return {
    async about(signal) {
      const { MediaContainer: server } = await http.json({ url: "", signal }, serverAnswer);
      const folders = (await places(signal)).map(({ folder }) => folder);
      return { kind: "plex", name: server.friendlyName, version: server.version, folders };
    },
    async refresh(paths, signal) {
      checkPaths(paths);
      signal?.throwIfAborted();
      if (paths.length === 0) return { strange: [] };
      const known = await places(signal);
      // Several files of one folder are one look at it; a folder may be in two libraries.
      const looks = new Set<string>();
      const strange: string[] = [];
      for (const path of paths) {
        const inside = known.filter(({ folder }) => isBelow(path, folder));
        if (inside.length === 0) strange.push(path);
        for (const { section } of inside)
          looks.add(`library/sections/${section}/refresh?path=${encodeURIComponent(folderOf(path))}`);
      }
      for (const url of looks) await http.ok({ url, signal });
      return { strange };
    },
  };
}
