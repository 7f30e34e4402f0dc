// Servers as they are set: looked at, changed, and made ready to be tested. Changes are part of the caller's transaction.

import { InputError, type Queryable } from "../../../engine/index.ts";
import { type SecretKeeper, serverSecret } from "../secrets.ts";
import { checkName, checkRoom, notThere, type SecretChange, secretChange } from "./check.ts";
import { checkServer, placeOf, type ServerGiven } from "./check-server.ts";
import { keepSecret, secretNow } from "./kept-secret.ts";
import { dropServer, findServer, forgetHostKey, listServers, type ServerRow, setServer } from "./servers.sql.ts";

const MOST = 50;

export interface ServerSecrets {
  readonly password: string | undefined;
  readonly privateKey: string | undefined;
  readonly mediaKey: string | undefined;
}

/** A server, and what it takes to be let in. */
export interface KeyedServer {
  readonly row: ServerRow;
  readonly secrets: ServerSecrets;
}

type Changes = { readonly [Secret in keyof ServerSecrets]: SecretChange };

export class Servers {
  readonly #secrets: SecretKeeper;

  constructor(secrets: SecretKeeper) {
    this.#secrets = secrets;
  }

  list(db: Queryable): Promise<ServerRow[]> {
    return listServers(db);
  }

  async set(tx: Queryable, name: string, given: ServerGiven): Promise<ServerRow> {
    const { row, changes } = await this.#planned(tx, name, given);
    checkRoom(await listServers(tx), name, MOST, "servers");
    const keep = (what: keyof ServerSecrets) => keepSecret(tx, this.#secrets, serverSecret(name, what), changes[what]);
    const has_password = await keep("password");
    const has_private_key = await keep("privateKey");
    const set: ServerRow = { ...row, has_password, has_private_key, has_media_key: await keep("mediaKey") };
    await setServer(tx, set);
    return set;
  }

  async drop(tx: Queryable, name: string): Promise<void> {
    if (!(await dropServer(tx, name))) throw notThere("server", name);
    for (const what of ["password", "privateKey", "mediaKey"] as const)
      await this.#secrets.forget(tx, serverSecret(name, what));
  }

  /** Whoever is there then is believed, and remembered. */
  async forgetHostKey(tx: Queryable, name: string): Promise<void> {
    if (!(await forgetHostKey(tx, name))) throw notThere("server", name);
  }

  /** As it is set, or as it would be. */
  async keyed(db: Queryable, name: string, given?: ServerGiven): Promise<KeyedServer> {
    if (given !== undefined) {
      const { row, changes } = await this.#planned(db, name, given);
      const now = (what: keyof ServerSecrets) => secretNow(db, this.#secrets, serverSecret(name, what), changes[what]);
      const secrets = { password: await now("password"), privateKey: await now("privateKey") };
      return { row, secrets: { ...secrets, mediaKey: await now("mediaKey") } };
    }
    const row = await findServer(db, name);
    if (row === undefined) throw notThere("server", name);
    return { row, secrets: await openSecrets(row, (secret) => this.#secrets.get(secret, db)) };
  }

  async #planned(db: Queryable, name: string, given: ServerGiven) {
    checkName(name);
    checkServer(given);
    const before = await findServer(db, name);
    const changes = changesOf(given, before);
    const { kind, host, port, username, root, films, series, encoding, mediaServer } = given;
    const isSamePlace = before !== undefined && placeOf(before) === placeOf(given);
    const row: ServerRow = {
      ...{ name, kind, host, port, username, root, films, series, encoding },
      ...{ has_password: false, has_private_key: false, has_media_key: false },
      // Another machine has another key.
      host_key: isSamePlace ? before.host_key : null,
      bytes_per_second: given.bytesPerSecond,
      is_default: given.isDefault,
      ...{ media_kind: mediaServer?.kind ?? null, media_url: mediaServer?.url ?? null },
      media_root: mediaServer?.root ?? null,
    };
    return { row, changes };
  }
}

function changesOf(given: ServerGiven, before: ServerRow | undefined): Changes {
  const place = placeOf(given);
  const was = (hasSecret: boolean) => (before === undefined ? undefined : { url: placeOf(before), hasSecret });
  const change = (what: "password" | "privateKey", other: "password" | "privateKey", has: boolean): SecretChange => {
    if (given.kind === "folder") return "forget";
    // One of them lets us in; giving the one takes the other away.
    if (given[what] === undefined && typeof given[other] === "string") return "forget";
    return secretChange(given[what], place, was(has), what);
  };
  const password = change("password", "privateKey", before?.has_password === true);
  const privateKey = change("privateKey", "password", before?.has_private_key === true);
  const hasOne = [password, privateKey].some((one) => typeof one === "object" || one === "keep");
  if (given.kind === "sftp" && !hasOne)
    throw new InputError("password", "password: a password or a private key, by which it lets us in");
  return { password, privateKey, mediaKey: mediaChange(given, before) };
}

function mediaChange({ mediaServer }: ServerGiven, before: ServerRow | undefined): SecretChange {
  if (mediaServer === null) return "forget";
  const was = before?.media_url == null ? undefined : { url: before.media_url, hasSecret: before.has_media_key };
  const change = secretChange(mediaServer.key, mediaServer.url, was, "mediaServer.key");
  if (change === "forget" || change === "none")
    throw new InputError("mediaServer.key", "mediaServer.key: the key or token that it is asked with");
  return change;
}

/** Those that it has. */
export async function openSecrets(row: ServerRow, open: (secret: string) => Promise<string>): Promise<ServerSecrets> {
  const { name } = row;
  return {
    password: row.has_password ? await open(serverSecret(name, "password")) : undefined,
    privateKey: row.has_private_key ? await open(serverSecret(name, "privateKey")) : undefined,
    mediaKey: row.has_media_key ? await open(serverSecret(name, "mediaKey")) : undefined,
  };
}
