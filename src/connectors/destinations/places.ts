// Names at a destination. Pure.

import { InputError } from "../../kit/index.ts";
import type { Parcel } from "./destination.ts";

/** Longer ones are refused by every usual file system. */
const NAME_BYTES = 255;

/** The folders and the name, each of which can be a name and nothing else. */
export function checkedPath(path: string): readonly string[] {
  const parts = path.split("/");
  for (const part of parts) {
    if (part === "" || part === "." || part === "..")
      throw new InputError("to", `${JSON.stringify(path)} is no path below a folder`);
    if (/\p{Cc}/u.test(part)) throw new InputError("to", "a name has a sign that no name may have");
    if (Buffer.byteLength(part) > NAME_BYTES) throw new InputError("to", `a name has more than ${NAME_BYTES} bytes`);
  }
  return parts;
}

/** Beside the file that it becomes, on the same disk. */
export function partPath({ to, id }: Pick<Parcel, "to" | "id">): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new InputError("id", "id has letters, digits, - and _, 100 at most");
  const parts = checkedPath(to);
  const name = parts.at(-1) ?? "";
  const ending = `.${id}.part`;
  return [...parts.slice(0, -1), `.${cut(name, NAME_BYTES - 1 - ending.length)}${ending}`].join("/");
}

/** Without cutting through a sign. */
function cut(name: string, bytes: number): string {
  let kept = name;
  while (Buffer.byteLength(kept) > bytes) kept = [...kept].slice(0, -1).join("");
  return kept;
}

export const folderOf = (path: string): string => checkedPath(path).slice(0, -1).join("/");
