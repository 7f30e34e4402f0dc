// A server that speaks SFTP.

import path from "node:path";
import type { Stats } from "ssh2";
import { Fault, transient } from "../../../engine/index.ts";
import { systemClock } from "../../../kit/index.ts";
import type { Destination, DestinationAbout, Parcel, SendOptions, Sent, SentParcel } from "../destination.ts";
import { Pace } from "../pace.ts";
import { checkedPath, folderOf, partPath } from "../places.ts";
import { SourceFile } from "../source-file.ts";
import { openSession } from "./connect.ts";
import type { ConnectOptions } from "./options.ts";
import { checkRoom, freeBytes, fullFault, isFull } from "./room.ts";
import type { Session } from "./session.ts";
import { isNoSuchFile, notReached } from "./sftp-faults.ts";
import { hashOf, sameBytes, write } from "./transfer.ts";

type Defaulted = "port" | "connectMs" | "idleMs" | "clock";

export interface SftpOptions extends Omit<ConnectOptions, Defaulted>, Partial<Pick<ConnectOptions, Defaulted>> {
  /** A folder there; what is sent goes below it. */
  readonly root: string;
  /** Told of the key that the server showed, where none was pinned. */
  readonly onHostKey?: (hostKey: string) => void | Promise<void>;
  readonly bytesPerSecond?: number | null;
}

interface Part {
  readonly path: string;
  readonly handle: Buffer;
  /** So much was there before. */
  readonly from: number;
}

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

  async about(signal?: AbortSignal): Promise<DestinationAbout> {
    return this.#with(signal, async (session) => {
      await this.#mustHaveRoot(session);
      const root = await session.ask<string>("looking for the folder", (answered) =>
        session.sftp.realpath(this.#options.root, answered),
      );
      const able = extensionsOf(session);
      return {
        ...{ kind: "sftp" as const, root, freeBytes: await freeBytes(session, root) },
        ...{ isAtomic: able.has("posix-rename@openssh.com"), hasSync: able.has("fsync@openssh.com") },
        hostKey: session.hostKey,
      };
    });
  }

  async bytesAt(place: string, signal?: AbortSignal): Promise<number | null> {
    const remote = this.#remote(place);
    return this.#with(signal, async (session) => (await this.#find(session, remote))?.size ?? null);
  }

  async sha256At(place: string, signal?: AbortSignal): Promise<string | null> {
    const remote = this.#remote(place);
    return this.#with(signal, async (session) => {
      const found = await this.#find(session, remote);
      if (found === null) return null;
      const handle = await open(session, remote, "r");
      const sha256 = await hashOf(session, handle, found.size);
      await close(session, handle);
      return sha256;
    });
  }

  async send(parcel: Parcel, { signal, onBytes = () => undefined }: SendOptions = {}): Promise<Sent> {
    const place = this.#remote(partPath(parcel));
    return this.#with(signal, async (session) => {
      const source = await SourceFile.open(parcel.file);
      try {
        await this.#folderFor(session, folderOf(parcel.to));
        const part = await this.#partOf(session, place, source);
        await this.#writeOut(session, source, part, { signal, onBytes });
        return await this.#compared(session, source, part);
      } finally {
        await source.close();
      }
    });
  }

  async publish({ to, id, bytes }: SentParcel, signal?: AbortSignal): Promise<void> {
    const [part, final] = [this.#remote(partPath({ to, id })), this.#remote(to)];
    return this.#with(signal, async (session) => {
      const sent = await this.#find(session, part);
      if (sent === null && (await this.#find(session, final))?.size === bytes) return;
      if (sent?.size !== bytes)
        throw transient("PART_GONE", "the part that was sent is not there as it was", this.#named);
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

  async remove(place: string, signal?: AbortSignal): Promise<void> {
    const remote = this.#remote(place);
    return this.#with(signal, (session) => this.#removeIfThere(session, remote));
  }

  /** Sending goes on from what is there, as far as it is the same as here. */
  async #partOf(session: Session, place: string, source: SourceFile): Promise<Part> {
    const room = (from: number) =>
      checkRoom(session, path.posix.dirname(place), source.bytes - from, this.#options.service);
    const have = (await this.#find(session, place))?.size ?? 0;
    if (have > 0 && have <= source.bytes) {
      const handle = await open(session, place, "r+");
      const from = await sameBytes(session, source, handle, have);
      if (from > 0) {
        await room(from);
        return { path: place, handle, from };
      }
      await close(session, handle);
    }
    await room(0);
    return { path: place, handle: await open(session, place, "w+"), from: 0 };
  }

  async #writeOut(
    session: Session,
    source: SourceFile,
    { handle, from }: Part,
    { signal, onBytes }: { readonly signal: AbortSignal | undefined; readonly onBytes: (bytes: number) => void },
  ): Promise<void> {
    const { service } = this.#options;
    try {
      await write(session, source, { handle, from, signal, onBytes, pace: this.#pace });
      await session.askIfAble("writing the part out", (answered) =>
        session.sftp.ext_openssh_fsync(handle, (error) => answered(error, true)),
      );
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "SFTP_4" || !(await isFull(session, handle))) throw error;
      throw fullFault(service, "takes no more: its disk or what may be used of it is full", error);
    }
  }

  async #compared(session: Session, source: SourceFile, { path, handle, from }: Part): Promise<Sent> {
    const sha256 = await source.sha256();
    const there = (await this.#find(session, path))?.size;
    const isSame = there === source.bytes && (await hashOf(session, handle, there)) === sha256;
    await close(session, handle);
    if (isSame) return { bytes: source.bytes, sentBytes: source.bytes - from, sha256 };
    await this.#removeIfThere(session, path);
    throw transient("WRONG_BYTES", "what arrived is not what was sent", this.#named);
  }

  async #mustHaveRoot(session: Session): Promise<void> {
    const { root, service } = this.#options;
    const found = await session
      .ask<Stats>("looking for the folder", (answered) => session.sftp.stat(root, answered))
      .catch((error: unknown) => {
        if (!isNoSuchFile(error)) throw error;
      });
    if (found?.isDirectory() !== true) throw notReached(service, `there is no folder ${root} there. Is it mounted?`);
  }

  async #folderFor(session: Session, folder: string): Promise<void> {
    await this.#mustHaveRoot(session);
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

  async #removeIfThere(session: Session, remote: string): Promise<void> {
    if ((await this.#find(session, remote)) === null) return;
    await session.ask("removing a file", (answered) => session.sftp.unlink(remote, answered));
  }

  async #find(session: Session, remote: string): Promise<Stats | null> {
    return await session
      .ask<Stats>("looking for a file", (answered) => session.sftp.lstat(remote, answered))
      .catch((error: unknown) => {
        if (isNoSuchFile(error)) return null;
        throw error;
      });
  }

  #remote(place: string): string {
    return `${this.#options.root.replace(/\/$/, "")}/${checkedPath(place).join("/")}`;
  }

  get #named() {
    return { service: this.#options.service };
  }

  async #with<T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    const { port = 22, connectMs = 15_000, idleMs = 30_000, clock = systemClock, onHostKey, hostKey } = this.#options;
    const session = await openSession({ ...this.#options, port, connectMs, idleMs, clock }, signal);
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

/** The library keeps what the server said it can, and shows it to nobody. */
function extensionsOf({ sftp }: Session): ReadonlySet<string> {
  const told = (sftp as unknown as { readonly _extensions?: Readonly<Record<string, unknown>> })._extensions;
  return new Set(Object.keys(told ?? {}));
}
