// Worlds around destinations, as the contract wants them.

import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Line } from "../../sandbox/media/line.ts";
import type { SftpServer } from "../../sandbox/media/sftp-server.ts";
import { newKey } from "../../sandbox/media/ssh-keys.ts";
import type { SshdProcess } from "../../sandbox/media/sshd-process.ts";
import {
  type Destination,
  type DestinationClientOptions,
  type DestinationContractWorld,
  type FakeDestination,
  folderDestination,
  type RemoteDestinationContractWorld,
  type SftpOptions,
  type SmallDisk,
  sftpDestination,
} from "../../src/connectors/index.ts";
import { type FolderOnDisk, SMALL_BYTES } from "./folder-on-disk.ts";

/** Files of our own to send. */
export class OutBox {
  readonly folder = mkdtempSync(join(tmpdir(), "sluice-outbox-"));
  #count = 0;

  constructor() {
    // Some of those who read here are somebody else.
    chmodSync(this.folder, 0o755);
  }

  readonly file = async (content: Uint8Array): Promise<string> => {
    this.#count += 1;
    const path = join(this.folder, `film ${this.#count}.mkv`);
    await writeFile(path, content);
    return path;
  };

  empty(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A disk whose size is a number. */
function countedDisk(usedBytes: () => number, setCapacity: (bytes: number) => void): SmallDisk {
  const whole = usedBytes() + SMALL_BYTES;
  setCapacity(whole);
  return { folder: "", fill: () => setCapacity(usedBytes()), free: () => setCapacity(whole) };
}

export function fakeWorld(
  { client, as, world, down }: FakeDestination,
  file: OutBox["file"],
): RemoteDestinationContractWorld {
  return {
    client,
    as: (options) => as(options),
    file,
    there: (path) => world.get(path),
    put: (path, content) => world.put(path, content),
    paths: () => world.paths(),
    receivedBytes: () => world.truth().receivedBytes,
    smallDisk: async () =>
      countedDisk(
        () => world.usedBytes,
        (bytes) => {
          world.capacityBytes = bytes;
        },
      ),
    readOnly: async (isReadOnly) => {
      world.isReadOnly = isReadOnly;
    },
    down: async (isDown) => down(isDown),
    cutAfter: (bytes) => {
      world.cutAfterBytes = bytes;
    },
    silent: (isSilent) => {
      world.isSilent = isSilent;
    },
    changeHostKey: async () => {
      world.hostKey = `SHA256:${"B".repeat(43)}`;
    },
  };
}

export function folderWorld(disk: FolderOnDisk, file: OutBox["file"]): DestinationContractWorld {
  const { root, there, put, paths, smallDisk } = disk;
  // Whom nothing can be forbidden becomes somebody else meanwhile.
  const become = (uid: number) => process.getuid?.() === 0 && process.seteuid?.(uid);
  return {
    client: folderDestination({ service: "folder", root }),
    ...{ file, there, put, paths, smallDisk },
    receivedBytes: () => null,
    readOnly: async (isReadOnly) => {
      if (!isReadOnly) become(0);
      disk.readOnly(isReadOnly);
      if (isReadOnly) become(1);
    },
    down: async (isDown) => renameSync(isDown ? root : `${root}-away`, isDown ? `${root}-away` : root),
  };
}

export const littleServerClient = (server: SftpServer, options: Partial<SftpOptions> = {}): Destination =>
  sftpDestination({
    ...{ service: "little", host: "127.0.0.1", port: server.port, username: server.username, root: "/" },
    ...{ password: server.password, hostKey: null, ...options },
  });

export function littleServerWorld(
  server: SftpServer,
  { there, put, paths }: FolderOnDisk,
  file: OutBox["file"],
): RemoteDestinationContractWorld {
  const { troubles } = server;
  const as = ({ isStranger, ...options }: DestinationClientOptions) =>
    littleServerClient(server, { ...options, ...(isStranger === true ? { password: "open wheat" } : {}) });
  return {
    client: as({}),
    ...{ as, file, there, put, paths },
    receivedBytes: () => server.receivedBytes,
    smallDisk: async () =>
      countedDisk(
        () => paths().reduce((sum, path) => sum + (there(path)?.byteLength ?? 0), 0),
        (bytes) => {
          troubles.capacityBytes = bytes;
        },
      ),
    readOnly: async (isReadOnly) => {
      troubles.isReadOnly = isReadOnly;
    },
    down: (isDown) => (isDown ? server.down() : server.up()),
    cutAfter: (bytes) => {
      troubles.cutAfterBytes = bytes;
    },
    silent: (isSilent) => {
      troubles.isSilent = isSilent;
    },
    changeHostKey: async () => {
      await server.down();
      server.changeHostKey();
      await server.up();
    },
  };
}

/** Over a line, or without one. */
export const sshdClient = (
  sshd: SshdProcess,
  line: Pick<Line, "port">,
  options: Partial<SftpOptions> = {},
): Destination =>
  sftpDestination({
    ...{ service: "sshd", host: "127.0.0.1", port: line.port, username: sshd.username, root: sshd.root },
    ...{ privateKey: sshd.privateKey, hostKey: null, ...options },
  });

export function sshdWorld(
  sshd: SshdProcess,
  line: Line,
  disk: FolderOnDisk,
  file: OutBox["file"],
): RemoteDestinationContractWorld {
  const { there, put, paths, smallDisk } = disk;
  const strange = () => ({ privateKey: newKey() });
  const as = ({ isStranger, ...options }: DestinationClientOptions) =>
    sshdClient(sshd, line, { ...options, ...(isStranger === true ? strange() : {}) });
  return {
    client: as({}),
    ...{ as, file, there, put, paths, smallDisk },
    receivedBytes: () => line.bytes,
    readOnly: async (isReadOnly) => disk.readOnly(isReadOnly),
    down: (isDown) => (isDown ? line.down() : line.up()),
    cutAfter: (bytes) => line.cutAfter(bytes),
    silent: (isSilent) => line.silent(isSilent),
    changeHostKey: async () => {
      await sshd.stop();
      sshd.changeHostKey();
      await sshd.start();
    },
  };
}
