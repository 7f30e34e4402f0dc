// Secrets as they are stored: AES-256-GCM, a fresh nonce each time, and the secret's own name bound to it, so that a row copied
// over another one does not open. The first key seals; the others are older ones that still open.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { InputError, SluiceError } from "../../engine/index.ts";

export interface SecretKey {
  /** Says which key it is and nothing about it. */
  readonly id: string;
  /** Node prints nothing of what is inside. */
  readonly key: KeyObject;
}

export type Keyring = readonly SecretKey[];

export interface Sealed {
  readonly keyId: string;
  readonly nonce: string;
  /** With the tag at its end. */
  readonly box: string;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

export function newKeyText(): string {
  return randomBytes(KEY_BYTES).toString("base64");
}

/** One key, or several with the newest first, with white space or commas between them. The text itself is never told. */
export function readKeys(text: string, field = "SERVER_SECRET_KEY"): Keyring {
  const keys = text.split(/[\s,]+/).filter((one) => one !== "");
  if (keys.length === 0) throw new InputError(field, `${field} is empty; ${HOW}`);
  return keys.map((one, index) => {
    const bytes = HEX.test(one) ? Buffer.from(one, "hex") : Buffer.from(BASE64.test(one) ? one : "", "base64");
    if (bytes.byteLength !== KEY_BYTES)
      throw new InputError(field, `${field}: key ${index + 1} is not 32 bytes as hex or base64; ${HOW}`);
    const id = createHash("sha256").update("sluice secret key").update(bytes).digest("hex").slice(0, 8);
    return { id, key: createSecretKey(bytes) };
  });
}

const HOW = "make one with: openssl rand -base64 32";

export function seal(keyring: Keyring, name: string, text: string): Sealed {
  const [current] = keyring;
  if (current === undefined)
    throw new SluiceError(
      "REFUSED",
      `there is no key to keep secrets with; set SERVER_SECRET_KEY or SERVER_SECRET_KEY_FILE (${HOW}) and start again`,
    );
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(name));
  const box = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { keyId: current.id, nonce: nonce.toString("base64"), box: box.toString("base64") };
}

/** Throws with what would help; never with anything of the secret. */
export function open(keyring: Keyring, name: string, { keyId, nonce, box }: Sealed): string {
  const known = keyring.find(({ id }) => id === keyId);
  if (known === undefined) throw new SluiceError("REFUSED", wrongKey(keyring, name, keyId));
  const bytes = Buffer.from(box, "base64");
  try {
    const decipher = createDecipheriv(CIPHER, known.key, Buffer.from(nonce, "base64"), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SluiceError("REFUSED", `the secret of ${name} was changed outside Sluice; set it again`, { cause });
  }
}

function wrongKey(keyring: Keyring, name: string, keyId: string): string {
  const own = keyring.map(({ id }) => id).join(", ");
  const have = own === "" ? "has no key" : `has ${own}`;
  return (
    `the secret of ${name} was sealed with key ${keyId}, and this server ${have}; ` +
    "add the old key behind the new one in SERVER_SECRET_KEY, or set the secret again"
  );
}
