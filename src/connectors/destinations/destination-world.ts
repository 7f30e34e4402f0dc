// The other side of the fake: what lies there, and what really came and was named.

import { permanent, transient, unavailable } from "../../engine/index.ts";

export interface DestinationTruth {
  /** Of files, over all its life. */
  readonly receivedBytes: number;
  /** How often a name was given, by path. */
  readonly published: ReadonlyMap<string, number>;
  /** Files under their names, without what is on its way. */
  readonly visible: readonly string[];
  /** What is on its way, or was left behind there. */
  readonly parts: readonly string[];
}

export class DestinationWorld {
  readonly service: string;
  /** As it shows it. */
  hostKey = `SHA256:${"A".repeat(43)}`;
  /** All its files together. */
  capacityBytes = 1_000_000_000_000;
  /** Nothing may be written, named or removed. */
  isReadOnly = false;
  /** Takes every question, and answers none. */
  isSilent = false;
  /** The line is cut when so many more bytes have come. */
  cutAfterBytes = Number.POSITIVE_INFINITY;
  /** Says that a write was done, and stores zeros. */
  storesZeros = false;
  readonly #files = new Map<string, Buffer>();
  readonly #published = new Map<string, number>();
  #receivedBytes = 0;

  constructor(service: string) {
    this.service = service;
  }

  truth(): DestinationTruth {
    const isPart = (path: string) => /(^|\/)\.[^/]*\.part$/.test(path);
    return {
      receivedBytes: this.#receivedBytes,
      published: new Map(this.#published),
      visible: this.paths().filter((path) => !isPart(path)),
      parts: this.paths().filter(isPart),
    };
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  get(path: string): Buffer | null {
    return this.#files.get(path) ?? null;
  }

  /** Somebody else does it. */
  put(path: string, content: Uint8Array): void {
    this.#files.set(path, Buffer.from(content));
  }

  get usedBytes(): number {
    return [...this.#files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** An empty one, or the same cut off. */
  begin(path: string, bytes: number): void {
    this.#mayWrite();
    this.#files.set(path, (this.#files.get(path) ?? Buffer.alloc(0)).subarray(0, bytes));
  }

  /** More of a file, at its end. */
  append(path: string, piece: Buffer): void {
    this.answers();
    this.#mayWrite();
    const { service } = this;
    this.cutAfterBytes -= piece.byteLength;
    if (this.cutAfterBytes < 0) {
      this.cutAfterBytes = Number.POSITIVE_INFINITY;
      throw lost(service);
    }
    this.#receivedBytes += piece.byteLength;
    if (this.usedBytes + piece.byteLength > this.capacityBytes)
      throw unavailable("DISK_FULL", `${service} is full`, { service });
    const stored = this.storesZeros ? Buffer.alloc(piece.byteLength) : piece;
    this.#files.set(path, Buffer.concat([this.#files.get(path) ?? Buffer.alloc(0), stored]));
  }

  rename(from: string, to: string): void {
    this.#mayWrite();
    const file = this.#files.get(from);
    if (file === undefined) throw transient("PART_GONE", "there is no such part", { service: this.service });
    this.#files.delete(from);
    this.#files.set(to, file);
    this.#published.set(to, (this.#published.get(to) ?? 0) + 1);
  }

  remove(path: string): void {
    if (!this.#files.has(path)) return;
    this.#mayWrite();
    this.#files.delete(path);
  }

  /** Throws where it does not. */
  answers(): void {
    if (this.isSilent) throw lost(this.service);
  }

  #mayWrite(): void {
    const { service } = this;
    if (!this.isReadOnly) return;
    throw permanent("PERMISSION_DENIED", `${service} lets nobody write`, { service, breaker: "none" });
  }
}

const lost = (service: string) => transient("CONNECTION_LOST", `the connection to ${service} was lost`, { service });
