// The metadata service as it is set.

import type { Queryable } from "../../../engine/index.ts";
import { type Keyed, metadataOf } from "../clients/clients.ts";
import { METADATA_SECRET, type SecretKeeper } from "../secrets.ts";
import { ageLookUps } from "../titles/look-ups.sql.ts";
import { checkAddress, secretChange } from "./check.ts";
import { keepSecret, secretNow } from "./kept-secret.ts";
import { findMetadata, type MetadataRow, setMetadata } from "./settings.sql.ts";

export interface MetadataGiven {
  readonly key?: string | null | undefined;
  readonly language: string | null;
  readonly url: string | null;
}

const FIELD = "key";

export class MetadataSetting {
  readonly #secrets: SecretKeeper;

  constructor(secrets: SecretKeeper) {
    this.#secrets = secrets;
  }

  get(db: Queryable): Promise<MetadataRow> {
    return findMetadata(db);
  }

  async set(tx: Queryable, given: MetadataGiven): Promise<MetadataRow> {
    const { row, change } = await this.#planned(tx, given);
    const set = { ...row, has_key: await keepSecret(tx, this.#secrets, METADATA_SECRET, change) };
    await setMetadata(tx, set);
    await ageLookUps(tx);
    return set;
  }

  /** As it is set, or as it would be. */
  async keyed(db: Queryable, given?: MetadataGiven): Promise<Keyed<MetadataRow>> {
    if (given !== undefined) {
      const { row, change } = await this.#planned(db, given);
      return { row, secret: await secretNow(db, this.#secrets, METADATA_SECRET, change) };
    }
    const row = await findMetadata(db);
    return { row, secret: row.has_key ? await this.#secrets.get(METADATA_SECRET, db) : undefined };
  }

  async #planned(db: Queryable, { key, language, url }: MetadataGiven) {
    if (url !== null) checkAddress(url, FIELD);
    const before = await findMetadata(db);
    const change = secretChange(key, url, { url: before.url, hasSecret: before.has_key }, FIELD);
    const row: MetadataRow = { has_key: false, language, url };
    // What is no key of TMDB's is refused before it is stored.
    if (typeof change === "object") metadataOf({ row, secret: change.put });
    return { row, change };
  }
}
