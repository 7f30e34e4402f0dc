// The tags that say whose a torrent is, and what can be checked of a new one before anybody is asked.

import { InputError, safeText } from "../../kit/index.ts";
import type { NewTorrent } from "./torrents.ts";

/** The tag of what was begun by us. */
export const OWN_TAG = "sluice";
const TAG = /^sluice-[A-Za-z0-9_-]{1,100}$/;

export function isTagOfOurs(tag: string): boolean {
  return TAG.test(tag);
}

/** What can be checked of a torrent before anybody is asked. Its source is checked where it is read: see `infohashOf`. */
export function checkNewTorrent({ infohash, tag, folder }: NewTorrent): void {
  if (!/^[0-9a-f]{40}$/.test(infohash))
    throw new InputError("infohash", `infohash must be 40 hex digits in lower case, got "${safeText(infohash, 80)}"`);
  checkTag(tag);
  if (folder === "" || /\p{Cc}/u.test(folder))
    throw new InputError("folder", "folder must be a path on the client's disk");
}

export function checkTag(tag: string): void {
  if (isTagOfOurs(tag)) return;
  const rule = '"sluice-" and up to 100 letters, digits, - and _';
  throw new InputError("tag", `tag must be ${rule}, got "${safeText(tag, 200)}"`);
}
