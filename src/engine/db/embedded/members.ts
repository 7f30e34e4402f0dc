// Who uses the server: one small file for each opening, naming its process. Read and written only under the start lock.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { uniqueName } from "./chance.ts";
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from "./process-identity.ts";

export interface Membership {
  readonly file: string;
}

export async function joinMembers(home: string): Promise<Membership> {
  const folder = join(home, "members");
  await mkdir(folder, { recursive: true });
  // A name of its own for each opening: one process may open the same folder twice, from two threads even.
  const file = join(folder, uniqueName());
  await writeFile(file, formatIdentity(await ownIdentity()), { flag: "wx" });
  return { file };
}

export async function leaveMembers(membership: Membership): Promise<void> {
  await rm(membership.file, { force: true });
}

/** The members whose process lives; files of dead ones are removed. */
export async function countMembers(home: string): Promise<number> {
  const folder = join(home, "members");
  await mkdir(folder, { recursive: true });
  let living = 0;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // A file cut short was being written under this very lock by a process that died in the middle.
    const member = parseIdentity(await readFile(file, "utf8"));
    if (member && (await isAlive(member))) living += 1;
    else await rm(file, { force: true });
  }
  return living;
}
