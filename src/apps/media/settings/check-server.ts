// What may be set of a server: where it is, where things go there, and what tells them to people. Pure.

import { InputError } from "../../../engine/index.ts";
import { isWholePath } from "../local-path.ts";
import { checkAddress } from "./check.ts";

export interface ServerGiven {
  readonly kind: "folder" | "sftp";
  readonly host: string | null;
  readonly port: number;
  readonly username: string | null;
  /** Left out it stays; null takes it away. */
  readonly password?: string | null | undefined;
  readonly privateKey?: string | null | undefined;
  readonly root: string;
  readonly films: string;
  readonly series: string;
  readonly bytesPerSecond: number | null;
  readonly encoding: string | null;
  readonly isDefault: boolean;
  readonly mediaServer: MediaServerGiven | null;
}

export interface MediaServerGiven {
  readonly kind: "jellyfin" | "emby" | "plex";
  readonly url: string;
  readonly key?: string | null | undefined;
  /** The server's root, as the media server sees it. */
  readonly root: string;
}

const wrong = (field: string, why: string) => new InputError(field, `${field}: ${why}`);

export function checkServer(given: ServerGiven): void {
  if (given.kind === "sftp") checkFar(given);
  else checkNear(given);
  if (!isWholePath(given.root)) throw wrong("root", "a whole path such as /srv/media, without ..");
  checkBelow("films", given.films);
  checkBelow("series", given.series);
  if (given.mediaServer !== null) checkMedia(given.mediaServer);
}

function checkFar({ host, username, password, privateKey }: ServerGiven): void {
  if (host === null || !HOST.test(host)) throw wrong("host", "a name or an address such as nas or 192.168.1.5");
  if (username === null || username === "") throw wrong("username", "who signs in there");
  if (typeof password === "string" && typeof privateKey === "string")
    throw wrong("privateKey", "a password or a private key, and not both");
  if (typeof privateKey === "string" && !/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey.trim()))
    throw wrong("privateKey", "a private key as OpenSSH writes it, which begins with -----BEGIN");
}

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|[0-9A-Fa-f:]{2,45})$/;

function checkNear({ host, username, password, privateKey }: ServerGiven): void {
  if (host !== null) throw wrong("host", "a folder of this machine has none");
  if (username !== null) throw wrong("username", "a folder of this machine has none");
  if (typeof password === "string") throw wrong("password", "a folder of this machine needs none");
  if (typeof privateKey === "string") throw wrong("privateKey", "a folder of this machine needs none");
}

function checkBelow(field: string, folder: string): void {
  if (folder === "") return;
  const isName = (name: string) => name !== "" && name !== "." && name !== ".." && !/\p{Cc}/u.test(name);
  if (!folder.split("/").every(isName) || Buffer.byteLength(folder) > FOLDER_BYTES)
    throw wrong(field, "a folder below root such as Films, or nothing for root itself");
}

const FOLDER_BYTES = 255;

function checkMedia({ url, root }: MediaServerGiven): void {
  checkAddress(url, "mediaServer.key");
  // It may run on Windows, and see the same disk as D:\Films.
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(root) || /\p{Cc}/u.test(root) || root.split(/[\\/]/).includes(".."))
    throw wrong("mediaServer.root", "the folder of root as the media server sees it, such as /media");
}

/** By which a secret that is kept is known to be for this place. */
export const placeOf = ({ host, port }: Pick<ServerGiven, "host" | "port">): string | null =>
  host === null ? null : `sftp://${host.includes(":") ? `[${host}]` : host}:${port}/`;
