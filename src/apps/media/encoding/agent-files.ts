// An encoder's side of the disk: whether it sees what the board sees, and what it fetches and sends where it does not.

import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { readBlock, sizeOf } from "./board-files.ts";
import { type EncodeTask, type JobName, nameOf } from "./conversation.ts";

/** As many bytes, and the same ones in a place that the board chose. */
export async function seesSource({ path, bytes, at, length, sha256 }: EncodeTask["source"]): Promise<boolean> {
  try {
    if ((await sizeOf(path)) !== bytes) return false;
    const block = await readBlock(path, at, length);
    return createHash("sha256").update(block).digest("hex") === sha256;
  } catch {
    // What it may not read it does not see.
    return false;
  }
}

/** What lies there is what the board put there, and it may write beside it. */
export async function seesFolder({ markerPath, marker }: EncodeTask["output"]): Promise<boolean> {
  if (!(await holds(markerPath, marker))) return false;
  const trial = join(dirname(markerPath), `.sluice-writes-${marker}`);
  try {
    await (await open(trial, "w", 0o600)).close();
    return true;
  } catch {
    return false;
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

export async function holds(path: string, text: string): Promise<boolean> {
  return await readFile(path, "utf8").then(
    (found) => found === text,
    () => false,
  );
}

/** Where what is fetched and what is to be sent lies meanwhile, by the job's name. */
export class AgentFolders {
  readonly #work: string;

  constructor(work: string) {
    this.#work = work;
  }

  /** With its ending, where that is a plain one: by that people know it. */
  inputOf(task: EncodeTask): string {
    const [ending = ""] = /^\.[A-Za-z0-9]{1,9}$/.exec(extname(task.source.path)) ?? [];
    return join(this.#work, "in", `${nameOf(task)}${ending}`);
  }

  outputOf(task: EncodeTask): string {
    return join(this.#work, "out", `${nameOf(task)}.${task.profile.container}`);
  }

  async prepare(): Promise<void> {
    for (const folder of ["in", "out"]) await mkdir(join(this.#work, folder), { recursive: true, mode: 0o700 });
  }

  async clear(job: JobName): Promise<void> {
    await this.#remove((name) => name.startsWith(`${nameOf(job)}.`) || name === nameOf(job));
  }

  /** Of jobs that are nobody's any more. */
  async clearAllBut(kept: ReadonlySet<string>): Promise<void> {
    await this.#remove((name) => ![...kept].some((one) => name === one || name.startsWith(`${one}.`)));
  }

  async #remove(isMeant: (name: string) => boolean): Promise<void> {
    for (const folder of ["in", "out"]) {
      const names = await readdir(join(this.#work, folder));
      for (const name of names.filter(isMeant)) await rm(join(this.#work, folder, name), { force: true });
    }
  }
}

export async function append(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, at === 0 ? "w" : "r+", 0o600);
  try {
    await handle.write(bytes, 0, bytes.byteLength, at);
  } finally {
    await handle.close();
  }
}
