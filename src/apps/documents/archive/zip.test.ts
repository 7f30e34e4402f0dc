import { crc32, inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { zip } from "./zip.ts";

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

async function all(written: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const piece of written) found.push(piece);
  return found;
}

/** By its own directory, as a reader does. */
function read(archive: Buffer) {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const [count, size, offset] = [
    archive.readUInt16LE(end + 10),
    archive.readUInt32LE(end + 12),
    archive.readUInt32LE(end + 16),
  ];
  expect(offset + size).toBe(end);
  const found = [];
  for (let at = offset, n = 0; n < count; n += 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [crc, packed, bytes, name] = [16, 20, 24]
      .map((from) => archive.readUInt32LE(at + from))
      .concat(archive.readUInt16LE(at + 28));
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26);
    const content = inflateRawSync(archive.subarray(begin, begin + (packed ?? 0)));
    expect([crc32(content), content.length]).toEqual([crc, bytes]);
    found.push([archive.subarray(at + 46, at + 46 + (name ?? 0)).toString("utf8"), content.toString("utf8")]);
    at += 46 + (name ?? 0);
  }
  return found;
}

it("is read by its directory, with what went in", async () => {
  const texts = { "a.xml": "<a/>".repeat(5_000), "naïve.xml": "<b>ü</b>", "empty.xml": "" };
  const entries = Object.entries(texts).map(([name, text]) => ({
    name,
    at: new Date("2030-02-03T04:05:06Z"),
    open: () => pieces(text),
  }));
  const archive = Buffer.concat(await all(zip(entries)));
  expect(read(archive)).toEqual(Object.entries(texts));
});

it("fails with whatever it reads", async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from("x");
    throw new Error("gone");
  };
  await expect(all(zip([{ name: "a", at: new Date(0), open: broken }]))).rejects.toThrow("gone");
});
