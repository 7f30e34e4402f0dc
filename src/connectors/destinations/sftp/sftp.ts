// A server that speaks SFTP.

import path from "node:path";
import type { Stats } from "ssh2";
import { Fault, transient, unavailable } from "../../../engine/index.ts";
import { type Clock, systemClock } from "../../../kit/index.ts";
import type { Destination, DestinationAbout, Parcel, SendOptions, Sent, SentParcel } from "../destination.ts";
import { Pace } from "../pace.ts";
import { checkedPath, folderOf, partPath } from "../places.ts";
import { SourceFile } from "../source-file.ts";
import { Session, type SessionOptions } from "./session.ts";
import { isNoSuchFile } from "./sftp-faults.ts";
import { hashOf, read, WINDOW_BYTES, write } from "./transfer.ts";

export interface SftpOptions extends Omit<SessionOptions, "port" | "connectMs" | "idleMs"> {
  readonly port?: number;
  /** A folder there; what is sent goes below it. */
  readonly root: string;
  /** Told of the key that the server showed, where none was pinned. */
  readonly onHostKey?: (hostKey: string) => void | Promise<void>;
  readonly bytesPerSecond?: number | null;
  readonly connectMs?: number;
  readonly idleMs?: number;
  readonly clock?: Clock;
}

/** A disk is left with as much as this, for whoever else is there. */
const SPARE_BYTES = 64 * 1024 * 1024;
const COMPARED_BYTES = 64 * 1024;

export function sftpDestination(options: SftpOptions): Destination {
  return new Sftp(options);
}

class Sftp implements Destination {
  readonly #options: SftpOptions;
  readonly #pace: Pace;

  constructor(options: SftpOptions) {
    this.#options = options;
    this.#pace = new Pace(options.bytesPerSecond ?? null, options.clock ?? systemClock);
  }

  about(signal?: AbortSignal): Promise<DestinationAbout> {
    return this.#with(signal, async (session) => {
      const root = await session.ask<string>("looking for the folder", (answered) =>
        session.sftp.realpath(this.#options.root, answered),
      );
      await this.#stat(session, root);
      const able = extensionsOf(session);
      return {
        ...{ kind: "sftp" as const, root, freeBytes: await freeBytes(session, root) },
        ...{ isAtomic: able.has("posix-rename@openssh.com"), hasSync: able.has("fsync@openssh.com") },
        hostKey: session.hostKey,
      };
    });
  }

  bytesAt(place: string, signal?: AbortSignal): Promise<number | null> {
    const remote = this.#remote(place);
    return this.#with(signal, async (session) => (await this.#find(session, remote))?.size ?? null);
  }

  send(parcel: Parcel, { signal, onBytes = () => undefined }: SendOptions = {}): Promise<Sent> {
    const part = this.#remote(partPath(parcel));
    return this.#with(signal, async (session) => {
      const source = await SourceFile.open(parcel.file);
      try {
        await this.#folderFor(session, folderOf(parcel.to));
        const from = await this.#startOf(session, part, source);
        await this.#roomFor(session, part, source.bytes - from);
        const handle = await open(session, part, from === 0 ? "w+" : "r+");
        await this.#writeOut(session, source, { part, handle, from, signal, onBytes });
        return await this.#compared(session, source, { part, handle, from });
      } finally {
        await source.close();
      }
    });
  }

  publish({ to, id, bytes }: SentParcel, signal?: AbortSignal): Promise<void> {
    const [part, final] = [this.#remote(partPath({ to, id })), this.#remote(to)];
    return this.#with(signal, async (session) => {
      if ((await this.#find(session, part)) === null) {
        if ((await this.#find(session, final))?.size === bytes) return;
        throw transient("PART_GONE", "the part that was sent is not there any more", this.#named);
      }
      const what = "naming the file";
      const renamed = await session.askIfAble<true>(what, (answered) =>
        session.sftp.ext_openssh_rename(part, final, (error) => answered(error, true)),
      );
      if (renamed !== null) return;
      // Without that, a name that is taken has to be freed first; for a moment there is none.
      if ((await this.#find(session, final)) !== null)
        await session.ask(what, (answered) => session.sftp.unlink(final, answered));
      await session.ask(what, (answered) => session.sftp.rename(part, final, answered));
    });
  }

  remove(place: string, signal?: AbortSignal): Promise<void> {
    const remote = this.#remote(place);
    return this.#with(signal, async (session) => {
      if ((await this.#find(session, remote)) === null) return;
      await session.ask("removing a file", (answered) => session.sftp.unlink(remote, answered));
    });
  }

  /** Where sending goes on: before anything that may have holes, and only over what is the same as here. */
  async #startOf(session: Session, part: string, source: SourceFile): Promise<number> {
    const there = (await this.#find(session, part))?.size ?? 0;
    const from = Math.min(there, source.bytes) - WINDOW_BYTES;
    if (there > source.bytes || from <= 0) return 0;
    const length = Math.min(COMPARED_BYTES, from);
    const handle = await open(session, part, "r");
    const last = await read(session, handle, from - length, length);
    await close(session, handle);
    return last.equals(await source.peek(from - length, length)) ? from : 0;
  }

  async #roomFor(session: Session, part: string, bytes: number): Promise<void> {
    const free = await freeBytes(session, path.posix.dirname(part));
    if (free === null || free >= bytes + Math.min(SPARE_BYTES, bytes)) return;
    throw this.#full(free, bytes);
  }

  async #writeOut(
    session: Session,
    source: SourceFile,
    {
      part,
      ...writing
    }: { part: string; handle: Buffer; from: number } & {
      onBytes: (bytes: number) => void;
      signal: AbortSignal | undefined;
    },
  ): Promise<void> {
    try {
      await write(session, source, { ...writing, pace: this.#pace });
      await session.askIfAble("writing the part out", (answered) =>
        session.sftp.ext_openssh_fsync(writing.handle, (error) => answered(error, true)),
      );
    } catch (error) {
      // The protocol has no word for it.
      if (!(error instanceof Fault) || error.code !== "SFTP_4") throw error;
      const free = await freeBytes(session, path.posix.dirname(part));
      throw free !== null && free < WINDOW_BYTES ? this.#full(free, source.bytes - writing.from) : error;
    }
  }

  async #compared(
    session: Session,
    source: SourceFile,
    { part, handle, from }: { readonly part: string; readonly handle: Buffer; readonly from: number },
  ): Promise<Sent> {
    const sha256 = await source.sha256();
    const there = (await this.#stat(session, part)).size;
    const isSame = there === source.bytes && (await hashOf(session, handle, there)) === sha256;
    await close(session, handle);
    if (isSame) return { bytes: source.bytes, sentBytes: source.bytes - from, sha256 };
    await session.ask("removing a wrong part", (answered) => session.sftp.unlink(part, answered));
    throw transient("WRONG_BYTES", "what arrived is not what was sent", this.#named);
  }

  async #folderFor(session: Session, folder: string): Promise<void> {
    let at = this.#options.root;
    for (const name of folder === "" ? [] : folder.split("/")) {
      at = `${at.replace(/\/$/, "")}/${name}`;
      const [next] = [at];
      if ((await this.#find(session, next)) !== null) continue;
      await session
        .ask("making its folder", (answered) => session.sftp.mkdir(next, answered))
        .catch(async (error) => {
          // Somebody else may have made it meanwhile.
          if ((await this.#find(session, next)) === null) throw error;
        });
    }
  }

  async #find(session: Session, remote: string): Promise<Stats | null> {
    return await this.#stat(session, remote).catch((error: unknown) => {
      if (isNoSuchFile(error)) return null;
      throw error;
    });
  }

  async #stat(session: Session, remote: string): Promise<Stats> {
    return await session.ask<Stats>("looking for a file", (answered) => session.sftp.lstat(remote, answered));
  }

  #remote(place: string): string {
    return `${this.#options.root.replace(/\/$/, "")}/${checkedPath(place).join("/")}`;
  }

  #full(free: number, bytes: number): Fault {
    const { service } = this.#options;
    return unavailable("DISK_FULL", `${service} has ${free} bytes left, and ${bytes} are to come`, { service });
  }

  get #named() {
    return { service: this.#options.service };
  }

  async #with<T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    const { port = 22, connectMs = 15_000, idleMs = 30_000, onHostKey, hostKey } = this.#options;
    const session = await Session.open({ ...this.#options, port, connectMs, idleMs }, signal);
    try {
      if (hostKey === null) await onHostKey?.(session.hostKey);
      return await work(session);
    } finally {
      session.end();
    }
  }
}

const open = (session: Session, file: string, flags: "r" | "r+" | "w+"): Promise<Buffer> =>
  session.ask<Buffer>("opening the part", (answered) => session.sftp.open(file, flags, answered));

const close = (session: Session, handle: Buffer): Promise<void> =>
  session.ask("closing the part", (answered) => session.sftp.close(handle, answered));

/** Null where the server does not tell. */
async function freeBytes(session: Session, folder: string): Promise<number | null> {
  const told = await session.askIfAble<{ readonly f_bavail: number; readonly f_frsize: number }>(
    "asking for space",
    (answered) => session.sftp.ext_openssh_statvfs(folder, answered),
  );
  return told === null ? null : told.f_bavail * told.f_frsize;
}

/** The library keeps what the server said it can, and shows it to nobody. */
function extensionsOf({ sftp }: Session): ReadonlySet<string> {
  const told = (sftp as unknown as { readonly _extensions?: Readonly<Record<string, unknown>> })._extensions;
  return new Set(Object.keys(told ?? {}));
}
