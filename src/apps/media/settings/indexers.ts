// Indexers as they are set: looked at, changed, and made ready to be tested. Changes are part of the caller's transaction.

import type { Queryable } from "../../../engine/index.ts";
import { indexerOf, type Keyed } from "../clients/clients.ts";
import { indexerSecret, type SecretKeeper } from "../secrets.ts";
import { checkAddress, checkName, checkRoom, notThere, secretChange } from "./check.ts";
import { keepSecret, secretNow } from "./kept-secret.ts";
import { dropIndexer, findIndexer, type IndexerRow, listIndexers, setIndexer } from "./settings.sql.ts";

export interface IndexerGiven {
  readonly url: string;
  /** Left out it stays; null takes it away. */
  readonly apiKey?: string | null | undefined;
  readonly categories: readonly number[];
  readonly links: "public" | "lan";
  readonly priority: number;
  readonly isOn: boolean;
}

const MOST = 200;
const FIELD = "apiKey";

export class Indexers {
  readonly #secrets: SecretKeeper;

  constructor(secrets: SecretKeeper) {
    this.#secrets = secrets;
  }

  list(db: Queryable): Promise<IndexerRow[]> {
    return listIndexers(db);
  }

  async set(tx: Queryable, name: string, given: IndexerGiven): Promise<IndexerRow> {
    const { row, change } = await this.#planned(tx, name, given);
    checkRoom(await listIndexers(tx), name, MOST, "indexers");
    const has_key = await keepSecret(tx, this.#secrets, indexerSecret(name), change);
    const set = { ...row, has_key };
    await setIndexer(tx, set);
    return set;
  }

  async drop(tx: Queryable, name: string): Promise<void> {
    if (!(await dropIndexer(tx, name))) throw notThere("indexer", name);
    await this.#secrets.forget(tx, indexerSecret(name));
  }

  /** As it is set, or as it would be. */
  async keyed(db: Queryable, name: string, given?: IndexerGiven): Promise<Keyed<IndexerRow>> {
    if (given !== undefined) {
      const { row, change } = await this.#planned(db, name, given);
      return { row, secret: await secretNow(db, this.#secrets, indexerSecret(name), change) };
    }
    const row = await findIndexer(db, name);
    if (row === undefined) throw notThere("indexer", name);
    return { row, secret: row.has_key ? await this.#secrets.get(indexerSecret(name), db) : undefined };
  }

  async #planned(db: Queryable, name: string, given: IndexerGiven) {
    checkName(name);
    checkAddress(given.url, FIELD);
    const before = await findIndexer(db, name);
    const known = before === undefined ? undefined : { url: before.url, hasSecret: before.has_key };
    const change = secretChange(given.apiKey, given.url, known, FIELD);
    const { url, categories, links, priority, isOn } = given;
    const row: IndexerRow = { name, url, has_key: false, categories, links, priority, is_on: isOn };
    // What its client would refuse is refused before it is stored.
    indexerOf({ row, secret: undefined });
    return { row, change };
  }
}
