// The oldest way to lock a PDF (RC4 of 40 bits): enough that nobody reads it without the password.

import { createHash } from "node:crypto";
import type { Encrypt, Ref } from "./pdf-writer.ts";
import { makePdf } from "./pdfs.ts";

const PADDING = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");
const ID = "00112233445566778899aabbccddeeff";
const PERMISSIONS = -44;
const KEY_BYTES = 5;

const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash("md5").update(Buffer.concat(parts)).digest();
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32);

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  const mixed = data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  });
  return Buffer.from(mixed);
}

/** With an empty user's password anybody may open it, and only its owner change it. */
export function encryptedPdf(userPassword: string, ownerPassword = "owner"): Buffer {
  const owner = rc4(md5(padded(ownerPassword)).subarray(0, KEY_BYTES), padded(userPassword));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(padded(userPassword), owner, permissions, Buffer.from(ID, "hex")).subarray(0, KEY_BYTES);
  const user = rc4(key, PADDING);
  const bytes: Encrypt = (object: Ref, data) => {
    const number = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
    return rc4(md5(key, number).subarray(0, KEY_BYTES + 5), data);
  };
  const hex = (value: Buffer) => `<${value.toString("hex")}>`;
  const dictionary = `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P ${PERMISSIONS} >>`;
  return makePdf({
    pages: [[{ text: "This was a secret.", x: 50, y: 700, size: 12 }]],
    info: { Title: "Locked" },
    encrypt: { bytes, dictionary, id: ID },
  });
}
