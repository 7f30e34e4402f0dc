import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyFile } from "./key-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-key-"));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

test("is made once, for us alone, and read from then on", async () => {
  const at = path.join(folder, "secret.key");
  const [first, second] = await Promise.all([keyFile(at), keyFile(at)]);
  const third = await keyFile(at);
  expect(new Set([first, second, third].map(({ keyring }) => keyring[0]?.id)).size).toBe(1);
  expect(third.isNew).toBe(false);
  expect((await stat(at)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["secret.key"]);
});

test("that is damaged is not made anew: what it sealed would be lost", async () => {
  const at = path.join(folder, "secret.key");
  await writeFile(at, "half a ke");
  await expect(keyFile(at)).rejects.toThrow(/secret\.key: key 1 is not 32 bytes/);
  expect(await readFile(at, "utf8")).toBe("half a ke");
});

test("that cannot be made says what to do", async () => {
  await expect(keyFile(path.join(folder, "missing", "secret.key"))).rejects.toThrow(
    /cannot be used \(ENOENT\); make its folder writable, or set SERVER_SECRET_KEY/,
  );
});
