// What one connection to the little SFTP server asks of its files.

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join, posix } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import ssh2, { type Attributes, type SFTPWrapper } from "ssh2";

const { STATUS_CODE, flagsToString } = ssh2.utils.sftp;

export interface SftpHabits {
  isSilent(): boolean;
  isReadOnly(): boolean;
  failsWrites(): boolean;
  slowMs(): number;
  /** For all files together. */
  roomBytes(): number;
  /** What is written in place of what came; null where nothing is, and nothing is said either. */
  stored(data: Buffer): Buffer | null;
}

export class SftpFiles {
  readonly #sftp: SFTPWrapper;
  readonly #root: string;
  readonly #habits: SftpHabits;
  readonly #open = new Map<number, number>();
  #last = 0;

  constructor(sftp: SFTPWrapper, root: string, habits: SftpHabits) {
    this.#sftp = sftp;
    this.#root = root;
    this.#habits = habits;
    this.#listen();
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #listen(): void {
    const sftp = this.#sftp;
    sftp.on("REALPATH", (id, path) =>
      this.#answer(id, () =>
        sftp.name(id, [{ filename: posix.resolve("/", path), longname: "", attrs: NO_ATTRIBUTES }]),
      ),
    );
    sftp.on("STAT", (id, path) => this.#answer(id, () => sftp.attrs(id, attributes(statSync(this.#local(path))))));
    sftp.on("LSTAT", (id, path) => this.#answer(id, () => sftp.attrs(id, attributes(lstatSync(this.#local(path))))));
    sftp.on("FSTAT", (id, handle) => this.#answer(id, () => sftp.attrs(id, attributes(fstatSync(this.#file(handle))))));
    sftp.on("MKDIR", (id, path) => this.#done(id, () => mkdirSync(this.#writable(path))));
    sftp.on("REMOVE", (id, path) => this.#done(id, () => unlinkSync(this.#writable(path))));
    sftp.on("RENAME", (id, from, to) =>
      this.#done(id, () => {
        if (existsSync(this.#local(to))) throw new Error("that name is taken");
        renameSync(this.#writable(from), this.#local(to));
      }),
    );
    sftp.on("OPEN", (id, path, flags) => this.#answer(id, () => sftp.handle(id, this.#opened(path, flags))));
    sftp.on("CLOSE", (id, handle) =>
      this.#done(id, () => {
        closeSync(this.#file(handle));
        this.#open.delete(handle.readUInt32BE());
      }),
    );
    sftp.on("READ", (id, handle, offset, length) =>
      this.#answer(id, () => {
        const into = Buffer.alloc(Math.min(length, MOST_BYTES));
        const got = readSync(this.#file(handle), into, 0, into.byteLength, offset);
        if (got === 0) sftp.status(id, STATUS_CODE.EOF);
        else sftp.data(id, into.subarray(0, got));
      }),
    );
    sftp.on("WRITE", (id, handle, offset, data) => void this.#write(id, handle, offset, data));
  }

  async #write(id: number, handle: Buffer, offset: number, data: Buffer): Promise<void> {
    const slowMs = this.#habits.slowMs();
    if (slowMs > 0) await sleep(slowMs);
    const stored = this.#habits.stored(data);
    if (stored === null) return;
    this.#done(id, () => {
      if (this.#habits.failsWrites()) throw new Error("the disk is broken");
      const file = this.#file(handle);
      const longer = Math.max(0, offset + data.byteLength - fstatSync(file).size);
      const room = this.#habits.roomBytes();
      if (longer > 0 && Number.isFinite(room) && bytesBelow(this.#root) + longer > room) throw new Error("no room");
      writeSync(file, stored, 0, stored.byteLength, offset);
    });
  }

  #opened(path: string, flags: number): Buffer {
    const how = flagsToString(flags) ?? "r";
    const file = openSync(how === "r" ? this.#local(path) : this.#writable(path), how);
    this.#last += 1;
    this.#open.set(this.#last, file);
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(this.#last);
    return handle;
  }

  #file(handle: Buffer): number {
    const file = handle.byteLength === 4 ? this.#open.get(handle.readUInt32BE()) : undefined;
    if (file === undefined) throw new Error("there is no such handle");
    return file;
  }

  /** Paths are absolute to whoever asks, and begin at the root. */
  #local(path: string): string {
    return join(this.#root, posix.resolve("/", path));
  }

  #writable(path: string): string {
    if (this.#habits.isReadOnly()) throw Object.assign(new Error("it is read-only"), { code: "EACCES" });
    return this.#local(path);
  }

  #done(id: number, act: () => void): void {
    this.#answer(id, () => {
      act();
      this.#sftp.status(id, STATUS_CODE.OK);
    });
  }

  #answer(id: number, act: () => void): void {
    if (this.#habits.isSilent()) return;
    try {
      act();
    } catch (error) {
      this.#sftp.status(id, statusOf(error), error instanceof Error ? error.message : "");
    }
  }
}

const MOST_BYTES = 256 * 1024;
const NO_ATTRIBUTES: Attributes = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };

function attributes({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats): Attributes {
  return { mode, uid, gid, size, atime: Math.floor(atimeMs / 1000), mtime: Math.floor(mtimeMs / 1000) };
}

function statusOf(error: unknown): number {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return STATUS_CODE.NO_SUCH_FILE;
  return code === "EACCES" || code === "EPERM" || code === "EROFS"
    ? STATUS_CODE.PERMISSION_DENIED
    : STATUS_CODE.FAILURE;
}

function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
