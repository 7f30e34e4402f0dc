// Keys of hosts and of those who come in, in the form of OpenSSH.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ssh2 from "ssh2";

/** The library makes one in a hundred that it cannot read itself. */
export function newKey(): string {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync("ed25519").private;
    if (!(ssh2.utils.parseKey(made) instanceof Error)) return made;
  }
}

/** The same again in the same place. */
export function keptKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newKey(), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** As it stands in `authorized_keys`. */
export function publicOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}
