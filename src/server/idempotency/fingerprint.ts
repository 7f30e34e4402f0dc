// Whether two requests are the same, as a hash that can be stored.

import { createHash, type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { redactJson } from "../../kit/index.ts";

const SLOW: ScryptOptions = { N: 16_384, r: 8, p: 1 };
const slowly = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

export interface Fingerprinted {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** Whose key it is, and which: the same body under another is another hash. */
  readonly salt: string;
}

/** A fast hash of a password is as good as the password to whoever reads the table, so a body with a secret in it costs a slow one. */
export async function fingerprintOf({ method, path, body, salt }: Fingerprinted): Promise<string> {
  const told = withoutSecrets(body);
  const hash = createHash("sha256").update(`${method} ${path}\n`).update(told.text).digest("base64url");
  return told.isWhole ? hash : `${hash}.${(await slowly(body, salt, 32, SLOW)).toString("base64url")}`;
}

function withoutSecrets(body: string): { readonly text: string; readonly isWhole: boolean } {
  let whole: string;
  try {
    whole = JSON.stringify(JSON.parse(body));
  } catch {
    // No JSON, so no route of ours will take it.
    return { text: body, isWhole: true };
  }
  const text = JSON.stringify(redactJson(body));
  return { text, isWhole: text === whole };
}
