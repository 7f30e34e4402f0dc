// What stored secrets are sealed with: configured, or a file beside the database where that is our own. Of a database elsewhere
// several servers share the secrets, and each would make another key: there one has to be configured.

import path from "node:path";
import { keyFile } from "../server/secrets/key-file.ts";
import { type Keyring, readKeys } from "../server/secrets/seal.ts";
import type { Config } from "./config/settings.ts";
import { ownFolder } from "./own-folder.ts";

export interface SecretKey {
  readonly keyring: Keyring;
  /** Where it was made just now. */
  readonly made: string | undefined;
}

export async function secretKey(config: Config): Promise<SecretKey> {
  const given = config["server.secretKey"];
  if (given !== undefined) return { keyring: readKeys(given), made: undefined };
  const folder = ownFolder(config);
  if (folder === undefined) return { keyring: [], made: undefined };
  const file = path.join(folder, "secret.key");
  const { keyring, isNew } = await keyFile(file);
  return { keyring, made: isNew ? file : undefined };
}
