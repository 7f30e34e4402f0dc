// Download clients as they are set.

import { InputError, type Queryable } from "../../../engine/index.ts";
import type { PlacedClient } from "../clients/clients.ts";
import type { PathMapping } from "../local-path.ts";
import { clientSecret, type SecretKeeper } from "../secrets.ts";
import { checkAddress, checkFolders, checkName, checkRoom, notThere, secretChange } from "./check.ts";
import { keepSecret, secretNow } from "./kept-secret.ts";
import { type ClientRow, dropClient, findClient, listClients, setClient } from "./settings.sql.ts";

export interface ClientGiven {
  readonly kind: ClientRow["kind"];
  readonly url: string | null;
  readonly username: string | null;
  readonly password?: string | null | undefined;
  readonly folder: string | null;
  readonly paths: readonly PathMapping[];
  readonly priority: number;
  readonly isOn: boolean;
}

const MOST = 50;
const FIELD = "password";

export class DownloadClients {
  readonly #secrets: SecretKeeper;

  constructor(secrets: SecretKeeper) {
    this.#secrets = secrets;
  }

  list(db: Queryable): Promise<ClientRow[]> {
    return listClients(db);
  }

  async set(tx: Queryable, name: string, given: ClientGiven): Promise<ClientRow> {
    const { row, change } = await this.#planned(tx, name, given);
    checkRoom(await listClients(tx), name, MOST, "download clients");
    const set = { ...row, has_password: await keepSecret(tx, this.#secrets, clientSecret(name), change) };
    await setClient(tx, set);
    return set;
  }

  async drop(tx: Queryable, name: string): Promise<void> {
    if (!(await dropClient(tx, name))) throw notThere("download client", name);
    await this.#secrets.forget(tx, clientSecret(name));
  }

  /** As it is set, or as it would be. */
  async keyed(db: Queryable, name: string, given?: ClientGiven): Promise<PlacedClient> {
    if (given !== undefined) {
      const { row, change } = await this.#planned(db, name, given);
      return { row, secret: await secretNow(db, this.#secrets, clientSecret(name), change) };
    }
    const row = await findClient(db, name);
    if (row === undefined) throw notThere("download client", name);
    return { row, secret: row.has_password ? await this.#secrets.get(clientSecret(name), db) : undefined };
  }

  async #planned(db: Queryable, name: string, given: ClientGiven) {
    checkName(name);
    const { kind, url, username, password, folder, paths, priority, isOn } = given;
    checkPlace(given);
    checkFolders(given);
    const before = await findClient(db, name);
    const known = before === undefined ? undefined : { url: before.url, hasSecret: before.has_password };
    // The embedded one that runs with the server is spoken to with a token of its own.
    const change = url === null ? "forget" : secretChange(password, url, known, FIELD);
    const row: ClientRow = {
      ...{ name, kind, url, username, has_password: false, folder, paths, priority, is_on: isOn },
    };
    return { row, change } as const;
  }
}

function checkPlace({ kind, url, username, password }: ClientGiven): void {
  if (url !== null) checkAddress(url, FIELD);
  else if (kind !== "embedded") throw new InputError("url", "url: the address of its pages, such as http://nas:8080");
  else if (typeof password === "string")
    throw new InputError(FIELD, `${FIELD}: the embedded client that runs with this server needs none`);
  if (kind === "embedded" && username !== null)
    throw new InputError("username", "username: the embedded client has none; its token is the password");
}
