// Where a server of this world keeps what it is sent: our own little SFTP server, or the machine's sshd. Both keep their keys in their
// folder, and are the same again after an end.

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SftpServer } from "./sftp-server.ts";
import { keptKey, newKey } from "./ssh-keys.ts";
import { SSHD, SshdProcess } from "./sshd-process.ts";

/** What somebody would have to know who sets it up; and where its files lie. */
export interface StorageDoor {
  readonly program: "ssh2" | "sshd";
  readonly username: string;
  readonly password: string | null;
  readonly privateKey: string | null;
  /** As whoever comes in sees it. */
  readonly root: string;
  readonly files: string;
}

export interface Storage {
  readonly door: StorageDoor;
  readonly port: number;
  /** No more fits than is there. */
  fill(isFull: boolean): void;
  /** Nothing may be written any more. */
  deny(isDenied: boolean): void;
  /** Shows another host key, as after a new installation. Whoever is there stays. */
  stranger(isStranger: boolean): Promise<void>;
  end(): Promise<void>;
}

const HOST_KEY = "own_host_key";
const MEDIA = "media";

export async function sftpStorage(folder: string, password: string): Promise<Storage> {
  const root = join(folder, "files");
  mkdirSync(join(root, MEDIA), { recursive: true });
  const hostKey = keptKey(join(folder, HOST_KEY));
  const server = new SftpServer({ root, password, hostKey });
  await server.up();
  let isOther = false;
  return {
    door: {
      ...{ program: "ssh2", username: server.username, password, privateKey: null, root: `/${MEDIA}` },
      files: join(root, MEDIA),
    },
    get port() {
      return server.port;
    },
    fill(isFull) {
      server.troubles.capacityBytes = isFull ? bytesBelow(root) : undefined;
    },
    deny(isDenied) {
      server.troubles.isReadOnly = isDenied;
    },
    async stranger(isStranger) {
      if (isStranger === isOther) return;
      isOther = isStranger;
      await server.down();
      server.changeHostKey(isStranger ? newKey() : hostKey);
      await server.up();
    },
    end: () => server.down(),
  };
}

export const hasSshd = (): boolean => existsSync(SSHD);

export async function sshdStorage(folder: string): Promise<Storage> {
  const sshd = new SshdProcess(folder);
  const hostKey = keptKey(join(folder, HOST_KEY));
  sshd.changeHostKey(hostKey);
  await sshd.start();
  const { username, privateKey, root } = sshd;
  let isOther = false;
  return {
    door: { program: "sshd", username, password: null, privateKey, root, files: root },
    get port() {
      return sshd.port;
    },
    fill: () => undefined,
    deny(isDenied) {
      for (const below of foldersBelow(root)) chmodSync(below, isDenied ? 0o555 : 0o755);
    },
    async stranger(isStranger) {
      if (isStranger === isOther) return;
      isOther = isStranger;
      await sshd.stop();
      sshd.changeHostKey(isStranger ? newKey() : hostKey);
      await sshd.start();
    },
    end: () => sshd.stop(),
  };
}

const entriesBelow = (folder: string) => readdirSync(folder, { withFileTypes: true, recursive: true });

function bytesBelow(folder: string): number {
  const files = entriesBelow(folder).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function foldersBelow(folder: string): string[] {
  const below = entriesBelow(folder).filter((entry) => entry.isDirectory());
  return [folder, ...below.map(({ parentPath, name }) => join(parentPath, name))];
}
