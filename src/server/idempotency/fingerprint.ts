// Whether two requests are the same, as a hash that can be stored. Pure.

import { createHash } from "node:crypto";
import { redactJson } from "../../kit/index.ts";

/** Without secrets: a fast hash of a password is as good as the password to whoever reads the table. */
export function fingerprintOf(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n`).update(withoutSecrets(body)).digest("base64url");
}

function withoutSecrets(body: string): string {
  try {
    return JSON.stringify(redactJson(body));
  } catch {
    // No JSON, so no route of ours will take it.
    return body;
  }
}
