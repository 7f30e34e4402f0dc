import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { encode } from "./bencode.ts";
import { readInfo } from "./metainfo.ts";
import { Storage } from "./storage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-storage-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = [
  { length: 10, path: ["a"] },
  { length: 6, path: [".pad", "6"], attr: "p" },
  { length: 0, path: ["empty"] },
  { length: 10, path: ["deep", "er", "b"] },
];
const meta = readInfo(encode({ name: "x", "piece length": 16_384, pieces: Buffer.alloc(20), files }), {
  files: 10,
  metadataBytes: 10_000,
});

it("bytes go to the files they are of, what stands for nothing to none, and come back", async () => {
  const storage = new Storage(folder, meta);
  const data = Buffer.from("0123456789\0\0\0\0\0\0abcdefghij");
  await storage.write(0, data);
  await storage.makeEmptyFiles();
  await storage.sync();
  expect(readFileSync(join(folder, "x", "a"), "utf8")).toBe("0123456789");
  expect(readFileSync(join(folder, "x", "deep", "er", "b"), "utf8")).toBe("abcdefghij");
  expect(readFileSync(join(folder, "x", "empty"), "utf8")).toBe("");
  expect(existsSync(join(folder, "x", ".pad"))).toBe(false);
  expect(await storage.read(0, 26)).toEqual(data);
  expect(await storage.read(8, 10)).toEqual(data.subarray(8, 18));
  await storage.close();
});

it("what is missing or too short is not there", async () => {
  const storage = new Storage(folder, meta);
  expect(await storage.isThere()).toBe(false);
  expect(await storage.read(0, 4)).toBeUndefined();
  await storage.write(0, Buffer.from("0123"));
  expect(await storage.read(0, 4)).toEqual(Buffer.from("0123"));
  expect(await storage.read(0, 10)).toBeUndefined();
  expect(await storage.isPlausible(() => true)).toBe(false);
  expect(await storage.isPlausible(() => false)).toBe(true);
  await storage.close();
});

it("a link in its place is not followed, neither as a file nor as a folder", async () => {
  const outside = join(folder, "outside");
  writeFileSync(outside, "theirs");
  mkdirSync(join(folder, "x"));
  symlinkSync(outside, join(folder, "x", "a"));
  symlinkSync(tmpdir(), join(folder, "x", "deep"));
  const storage = new Storage(folder, meta);
  await expect(storage.write(0, Buffer.from("0123"))).rejects.toMatchObject({ code: "ELOOP" });
  await expect(storage.write(16, Buffer.from("abcd"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(storage.read(0, 4)).rejects.toMatchObject({ code: "ELOOP" });
  expect(readFileSync(outside, "utf8")).toBe("theirs");
});

it("removed, it leaves what somebody else has put there", async () => {
  const storage = new Storage(folder, meta);
  await storage.write(0, Buffer.alloc(26, 1));
  writeFileSync(join(folder, "x", "note"), "theirs");
  await storage.remove();
  expect(existsSync(join(folder, "x", "deep"))).toBe(false);
  expect(existsSync(join(folder, "x", "a"))).toBe(false);
  expect(readFileSync(join(folder, "x", "note"), "utf8")).toBe("theirs");
});
