// A little SFTP server of our own on the loopback, which can be broken in every way that matters to whoever sends. It knows no
// extensions: no free space, no flush, no rename over a name that is taken. What is asked of it stays below its root.

import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import ssh2, { type Connection, type Server, type SFTPWrapper } from "ssh2";
import { SftpFiles } from "./sftp-files.ts";
import { newKey } from "./ssh-keys.ts";

export interface SftpTroubles {
  /** The connection is cut when so many more bytes have been written. */
  cutAfterBytes?: number | undefined;
  /** All its files together. */
  capacityBytes?: number | undefined;
  /** Says that a write was done, and stores zeros. */
  storesZeros?: boolean | undefined;
  /** Takes every question, and answers none. */
  isSilent?: boolean | undefined;
  /** Every write fails, as with a broken disk. */
  failsWrites?: boolean | undefined;
  /** Before every answer to a write. */
  slowMs?: number | undefined;
  /** Nothing may be written, named or removed. */
  isReadOnly?: boolean | undefined;
}

export interface SftpServerOptions {
  readonly root: string;
  readonly username?: string;
  readonly password?: string;
  /** A key that it lets in as well, as in `authorized_keys`. */
  readonly authorizedKey?: string;
  /** In the form of OpenSSH; a new one where none is given. */
  readonly hostKey?: string;
}

export class SftpServer {
  readonly username: string;
  readonly password: string;
  readonly root: string;
  readonly troubles: SftpTroubles = {};
  readonly #authorizedKey: string | undefined;
  readonly #sockets = new Set<Socket>();
  #hostKey: string;
  #server: Server | undefined;
  #port = 0;
  #receivedBytes = 0;

  constructor({ root, username = "media", password = "open sesame", authorizedKey, hostKey }: SftpServerOptions) {
    this.root = root;
    this.username = username;
    this.password = password;
    this.#authorizedKey = authorizedKey;
    this.#hostKey = hostKey ?? newKey();
  }

  get port(): number {
    return this.#port;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Of files, over all its life. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async up(port = this.#port): Promise<void> {
    const server = new ssh2.Server({ hostKeys: [this.#hostKey] }, (client) => this.#greet(client));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port; // listening on a port, not on a pipe
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.cut();
    await closed;
  }

  /** Every connection, now. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** As after a new installation of the machine. Counts from the next time it is up. */
  changeHostKey(hostKey = newKey()): void {
    this.#hostKey = hostKey;
  }

  #greet(client: Connection): void {
    const socket = socketOf(client).setNoDelay(true);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    client.on("error", () => undefined); // whoever leaves without a word
    client.on("authentication", (asked) => {
      const isUser = asked.username === this.username;
      if (isUser && asked.method === "password" && asked.password === this.password) return asked.accept();
      if (isUser && asked.method === "publickey" && this.#isKey(asked)) return asked.accept();
      asked.reject(["password", "publickey"]);
    });
    client.on("session", (accept) => accept().on("sftp", (open) => this.#serve(open(), socket)));
  }

  #isKey({ key, signature, blob, hashAlgo }: ssh2.PublicKeyAuthContext): boolean {
    if (this.#authorizedKey === undefined) return false;
    const known = ssh2.utils.parseKey(this.#authorizedKey);
    if (known instanceof Error || !known.getPublicSSH().equals(key.data)) return false;
    // Without a signature it is only asked whether this key would do.
    return signature === undefined || blob === undefined || known.verify(blob, signature, hashAlgo) === true;
  }

  #serve(sftp: SFTPWrapper, socket: Socket): void {
    const files = new SftpFiles(sftp, this.root, {
      isSilent: () => this.troubles.isSilent === true,
      isReadOnly: () => this.troubles.isReadOnly === true,
      failsWrites: () => this.troubles.failsWrites === true,
      slowMs: () => this.troubles.slowMs ?? 0,
      roomBytes: () => this.troubles.capacityBytes ?? Number.POSITIVE_INFINITY,
      stored: (data) => this.#stored(data, socket),
    });
    socket.once("close", () => files.close());
  }

  /** What is written in place of what came; null when the line is cut before. */
  #stored(data: Buffer, socket: Socket): Buffer | null {
    const { troubles } = this;
    if (troubles.cutAfterBytes !== undefined) {
      troubles.cutAfterBytes -= data.byteLength;
      if (troubles.cutAfterBytes < 0) {
        troubles.cutAfterBytes = undefined;
        socket.destroy();
        return null;
      }
    }
    this.#receivedBytes += data.byteLength;
    return troubles.storesZeros === true ? Buffer.alloc(data.byteLength) : data;
  }
}

/** The library hands out no way to cut a line. */
function socketOf(client: Connection): Socket {
  return (client as unknown as { readonly _sock: Socket })._sock;
}
