// The key that secrets are sealed with, where nobody configured one: a file of its own, made at the first start and readable by
// us alone. Without it, what it sealed cannot be opened again: it belongs into every backup.

import { chmod, link, open, readFile, rm } from "node:fs/promises";
import { SluiceError } from "../../engine/index.ts";
import { type Keyring, newKeyText, readKeys } from "./seal.ts";

export interface KeyFile {
  readonly keyring: Keyring;
  /** It was made just now: whoever starts the server says so. */
  readonly isNew: boolean;
}

export async function keyFile(path: string): Promise<KeyFile> {
  const known = await read(path);
  if (known !== undefined) return { keyring: readKeys(known, path), isNew: false };
  await make(path);
  return { keyring: readKeys((await read(path)) ?? "", path), isNew: true };
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // what fs throws has a code
    throw unusable(path, error);
  }
}

/** Whole or not at all, and of two servers that start together one makes it: a link does not replace what is there. */
async function make(path: string): Promise<void> {
  const written = `${path}.${newKeyText()
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 8)}`;
  try {
    const file = await open(written, "wx", 0o600);
    try {
      await file.writeFile(`${newKeyText()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(written, 0o600);
    await link(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unusable(path, error); // what fs throws has a code
  } finally {
    await rm(written, { force: true });
  }
}

function unusable(path: string, cause: unknown): SluiceError {
  const { code = "error" } = cause as NodeJS.ErrnoException; // what fs throws has a code
  return new SluiceError(
    "SECRET_KEY",
    `the key file ${path} cannot be used (${code}); make its folder writable, or set SERVER_SECRET_KEY`,
    { cause },
  );
}
