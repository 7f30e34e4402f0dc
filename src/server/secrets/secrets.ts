// Secrets for those who need them: written by name, opened by name, never listed. Whoever opens one has to keep it out of logs,
// answers and errors.

import { type Logger, type Queryable, SluiceError, type Tables } from "../../engine/index.ts";
import { type Keyring, open, type Sealed, seal } from "./seal.ts";
import { forgetSecret, listSecrets, readSecret, replaceSealed, type SecretRow, writeSecret } from "./secret.sql.ts";

export interface Resealed {
  readonly resealed: number;
  /** Sealed with a key that this server does not have. */
  readonly unreadable: readonly string[];
}

export class Secrets {
  readonly #tables: Tables;
  readonly #keyring: Keyring;

  /** Without a key nothing can be kept; what there is stays where it is, and says so when it is asked for. */
  constructor(tables: Tables, keyring: Keyring) {
    this.#tables = tables;
    this.#keyring = keyring;
  }

  async put(db: Queryable, name: string, text: string): Promise<void> {
    await writeSecret(db, name, seal(this.#keyring, name, text));
  }

  /** Within a transaction it has to be asked there: waiting for another connection meanwhile could wait for ever. */
  async get(name: string, db: Queryable = this.#tables): Promise<string> {
    const row = await readSecret(db, name);
    if (row === undefined) throw new SluiceError("REFUSED", `the secret of ${name} is not there; set it again`);
    return open(this.#keyring, name, sealedOf(row));
  }

  async forget(db: Queryable, name: string): Promise<void> {
    await forgetSecret(db, name);
  }

  /** After a new key was put in front: everything is sealed with it, so that the old one may go. May be done again. */
  async reseal(): Promise<Resealed> {
    const [current] = this.#keyring;
    const unreadable: string[] = [];
    let resealed = 0;
    for (const row of await listSecrets(this.#tables)) {
      if (row.key_id === current?.id) continue;
      const text = this.#tryOpen(row);
      if (text === undefined) unreadable.push(row.name);
      else if (await replaceSealed(this.#tables, row, seal(this.#keyring, row.name, text))) resealed += 1;
    }
    return { resealed, unreadable };
  }

  #tryOpen(row: SecretRow): string | undefined {
    try {
      return open(this.#keyring, row.name, sealedOf(row));
    } catch (error) {
      // It is named in the answer; whoever uses it is told why.
      if (error instanceof SluiceError) return undefined;
      throw error;
    }
  }
}

/** When a server starts: its first key is the one that everything is to be sealed with. */
export async function resealAll(tables: Tables, keyring: Keyring, log: Logger): Promise<void> {
  const { resealed, unreadable } = await new Secrets(tables, keyring).reseal();
  if (resealed > 0) log.info("secrets.resealed", { count: resealed });
  if (unreadable.length > 0) log.warn("secrets.unreadable", { names: unreadable.join(", ") });
}

function sealedOf({ key_id: keyId, nonce, box }: SecretRow): Sealed {
  return { keyId, nonce, box };
}
