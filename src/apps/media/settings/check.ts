// What may be set: names, addresses, folders, and what becomes of a secret. Pure.

import { InputError, SluiceError } from "../../../engine/index.ts";
import { isWholePath, type PathMapping } from "../local-path.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export function checkName(name: string): void {
  if (!NAME.test(name))
    throw new InputError("name", "name: letters, digits, . _ and -, 63 at most, the first a letter or a digit");
}

/** Whoever looks at the settings sees it: nothing that lets anybody in may stand in it. */
export function checkAddress(address: string, secret: string): void {
  const url = URL.parse(address);
  const wrong = (why: string) => new InputError("url", `url: ${why}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong("an address such as http://nas:9696/1/");
  if (url.username !== "" || url.password !== "") throw wrong(`without a name and a password in it; give ${secret}`);
  if (url.search !== "" || url.hash !== "") throw wrong(`without what comes after ? or #; a key is given as ${secret}`);
}

/** What stands there, and what is to be: null where nobody has said where it is. */
export function isSameAddress(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return new URL(one).href === new URL(other).href;
}

export interface Secretive {
  readonly url: string | null;
  readonly hasSecret: boolean;
}

export type SecretChange = { readonly put: string } | "forget" | "keep" | "none";

/** Left out it is kept, and only for the address it was given for: nobody may have it sent elsewhere who does not know it. */
export function secretChange(
  given: string | null | undefined,
  url: string | null,
  before: Secretive | undefined,
  field: string,
): SecretChange {
  if (typeof given === "string") return { put: given };
  if (given === null) return "forget";
  if (before?.hasSecret !== true) return "none";
  if (isSameAddress(before.url, url)) return "keep";
  const was = before.url === null ? "another address" : before.url;
  throw new InputError(field, `${field}: the one that is kept is for ${was}; give it again, or null for none`);
}

/** Only what cannot be right; whether there is such a folder is seen when it is tested. */
export function checkFolders({
  folder,
  paths,
}: {
  readonly folder: string | null;
  readonly paths: readonly PathMapping[];
}): void {
  const check = (field: string, path: string) => {
    if (!isWholePath(path))
      throw new InputError(field, `${field}: a whole path such as /downloads, without .., got ${JSON.stringify(path)}`);
  };
  if (folder !== null) check("folder", folder);
  for (const [place, { theirs, ours }] of paths.entries()) {
    check(`paths.${place}.theirs`, theirs);
    check(`paths.${place}.ours`, ours);
  }
}

export function checkRoom(there: readonly { readonly name: string }[], name: string, most: number, what: string): void {
  if (there.length < most || there.some((one) => one.name === name)) return;
  throw new SluiceError("REFUSED", `there are ${most} ${what} already; remove one that is not needed`);
}

export function notThere(what: string, name: string): SluiceError {
  return new SluiceError("NOT_FOUND", `there is no ${what} ${name}`);
}
