// The servers of the media world, each in its process and with each of its faults, as whoever sends to them finds them.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { MediaPace } from "../../sandbox/media/services/definition.ts";
import { doorOf, SERVERS, type ServerName, servers } from "../../sandbox/media/services/servers.ts";
import { type StartedService, startService } from "../../sandbox/media/start-service.ts";
import { hasSshd } from "../../sandbox/media/storage.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { Things } from "../../sandbox/things.ts";
import { sftpDestination } from "../../src/connectors/index.ts";
import { silentLogger } from "../../src/kit/index.ts";

const home = temporaryFolder("sluice-media-servers");
const film = join(home, "film.mkv");
const BYTES = 2_000_000;
const started = new Map<string, StartedService>();
const hostKeys = new Map<string, string>();
let things: Things;

beforeAll(async () => {
  writeFileSync(film, Buffer.alloc(BYTES, "a film is sent "));
  // They need nothing else; what is sent again after a cut is less than a megabyte.
  const place = { stock: home, announce: "", pace: { cutBytes: 1_500_000 } as MediaPace };
  const all = await Promise.all(servers.map((one) => startService(one, { ...place, folder: join(home, one.name) })));
  for (const one of all) started.set(one.thing.process.name, one);
  things = new Things(
    all.map(({ thing }) => thing),
    silentLogger,
  );
});
afterEach(async () => {
  await things.mendAll();
});
afterAll(async () => {
  await Promise.all([...started.values()].map(({ thing }) => thing.process.stop()));
  rmSync(home, { recursive: true, force: true });
});

/** Whoever sends: knows the host's key from the first visit on. */
function sender(name: ServerName) {
  const { username, password, privateKey, root } = doorOf(join(home, name));
  return sftpDestination({
    ...{ service: `server:${name}`, host: "127.0.0.1", port: started.get(name)?.port ?? 0, username, root },
    ...(privateKey === null ? { password: password ?? "" } : { privateKey }),
    hostKey: hostKeys.get(name) ?? null,
    onHostKey: (key) => void hostKeys.set(name, key),
  });
}
let sent = 0;
const parcel = () => {
  sent += 1;
  return { file: film, to: `Films/${sent}.mkv`, id: `film-${sent}` };
};
const filesOf = (name: ServerName) => doorOf(join(home, name)).files;
const sum = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const code = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "sent",
    (error: unknown) => (error as { readonly code?: string }).code,
  );

describe.each(SERVERS)("the %s", (name) => {
  it("takes a film, and has it whole", async () => {
    const one = parcel();
    const { bytes } = await sender(name).send(one);
    await sender(name).publish({ ...one, bytes });
    expect(sum(join(filesOf(name), one.to))).toBe(sum(film));
  });

  it("is the same again after it was stopped, with what it has", async () => {
    await things.break(name, "stop");
    expect(await code(sender(name).send(parcel()))).toBe("NOT_REACHED");
    await things.mend(name, "stop");
    expect(await code(sender(name).send(parcel()))).toBe("sent");
    expect(readdirSync(filesOf(name))).toEqual(["Films"]);
  });

  it("cuts what is sent in the middle, and has what it got when it is sent again", async () => {
    await things.break(name, "cut");
    const one = parcel();
    expect(await code(sender(name).send(one))).toBe("CONNECTION_LOST");
    expect(existsSync(join(filesOf(name), one.to))).toBe(false);
    await things.mend(name, "cut");
    const { bytes, sentBytes } = await sender(name).send(one);
    expect([bytes, sentBytes < BYTES]).toEqual([BYTES, true]);
  });

  it("lets nobody write", async () => {
    await things.break(name, "denied");
    await expect.poll(() => code(sender(name).send(parcel()))).toBe("PERMISSION_DENIED");
    await things.mend(name, "denied");
    await expect.poll(() => code(sender(name).send(parcel()))).toBe("sent");
  });

  it("shows another host key, and then its own again", async () => {
    await things.break(name, "stranger");
    await expect.poll(() => code(sender(name).send(parcel()))).toBe("HOST_KEY_CHANGED");
    await things.mend(name, "stranger");
    await expect.poll(() => code(sender(name).send(parcel()))).toBe("sent");
  });
});

it.each(["attic", "cabin"] as const)("the %s is full until it is mended", async (name) => {
  await things.break(name, "full");
  await expect.poll(() => code(sender(name).send(parcel()))).toBe("DISK_FULL");
  await things.mend(name, "full");
  await expect.poll(() => code(sender(name).send(parcel()))).toBe("sent");
});

it("the vault is OpenSSH's own server where the machine has it", () => {
  expect(doorOf(join(home, "vault")).program).toBe(hasSshd() ? "sshd" : "ssh2");
});
