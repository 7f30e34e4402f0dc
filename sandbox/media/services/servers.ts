// The servers that films are delivered to, each behind a line that can be cut. The vault is the machine's own sshd where there is one.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { FAULTS, type FaultText } from "../../service/faults.ts";
import { Line } from "../line.ts";
import { hasSshd, type Storage, type StorageDoor, sftpStorage, sshdStorage } from "../storage.ts";
import type { MediaService } from "./definition.ts";

export const SERVERS = ["attic", "cabin", "vault"] as const;
export type ServerName = (typeof SERVERS)[number];

const DOOR = "door.json";

/** Of a server that has been started. */
export function doorOf(folder: string): StorageDoor {
  // Written below.
  return JSON.parse(readFileSync(join(folder, DOOR), "utf8")) as StorageDoor;
}

const WAITS = "What is to go there waits for it without an attempt, the other servers get theirs; mended, it goes on.";

const CUT: FaultText = {
  does: "Cuts every connection when half a film has come over it.",
  expect:
    "CONNECTION_LOST: with the next attempt it goes on from what is there and was compared. Under its own name nothing is seen before it is whole.",
};
const FULL: FaultText = {
  does: "Takes no byte more than it has; counted by the server, no real disk is filled.",
  expect:
    "DISK_FULL: what is to go there waits with the reason disk_low, without an attempt, and is tried again every few seconds; the other servers get theirs.",
};
const DENIED: FaultText = {
  does: "Lets nobody write any more.",
  expect:
    "PERMISSION_DENIED: what goes there now fails at this server alone, in words. Mended, that is retried by a person.",
};
const STRANGER: FaultText = {
  does: "Shows another host key, as after a new installation, or as somebody else in its place would.",
  expect:
    "HOST_KEY_CHANGED: nothing is sent to it, and what goes there fails at this server alone, in words. Mended, or when the old key is forgotten, that is retried by a person.",
};

function server(name: ServerName, about: string, open: (folder: string) => Promise<Storage>): MediaService {
  const common = { cut: CUT, denied: DENIED, stranger: STRANGER };
  return {
    ...{ name, about, service: `server:${name}` },
    ends: { name: "stop", by: "stop", does: FAULTS.stop.does, expect: `Its breaker opens. ${WAITS}` },
    faults: name === "vault" ? common : { full: FULL, ...common },
    async run({ port, folder, pace }) {
      mkdirSync(folder, { recursive: true });
      const storage = await open(folder);
      writeFileSync(join(folder, DOOR), JSON.stringify(storage.door), { mode: 0o600 });
      const line = new Line(() => storage.port);
      await line.up(port);
      return {
        async faults(faults) {
          line.eachBytes = faults.has("cut") ? pace.cutBytes : Number.POSITIVE_INFINITY;
          storage.fill(faults.has("full"));
          storage.deny(faults.has("denied"));
          await storage.stranger(faults.has("stranger"));
          if (faults.has("stranger")) line.cut();
        },
        async end() {
          await line.down();
          await storage.end();
        },
      };
    },
  };
}

/** Nobody has to have an sshd, or one that may look into this folder. */
async function vaultStorage(folder: string): Promise<Storage> {
  if (!hasSshd()) return await sftpStorage(folder, "of the vault");
  return await sshdStorage(folder).catch(async (error: unknown) => {
    console.error(`sshd does not run here, and our own server does: ${inspect(error)}`);
    return await sftpStorage(folder, "of the vault");
  });
}

export const servers: readonly MediaService[] = [
  server("attic", "Gets films as they were found, over SFTP.", (folder) => sftpStorage(folder, "of the attic")),
  server("cabin", "Gets films in a smaller encoding, over SFTP.", (folder) => sftpStorage(folder, "of the cabin")),
  server(
    "vault",
    "Gets the same encoding as the cabin, over SFTP: OpenSSH's own server where the machine has one.",
    vaultStorage,
  ),
];
