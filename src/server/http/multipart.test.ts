import { expect, it } from "vitest";
import { type FormPart, formParts, textOf } from "./multipart.ts";

const TYPE = 'multipart/form-data; boundary="--x-1"';
const part = (headers: string, content: string) => `----x-1\r\n${headers}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string) =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/pdf`, content);
const END = "----x-1--\r\n";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const parts = (text: string, size = 7, limits = { parts: 10, bytes: 10_000 }) =>
  formParts(inPieces(text, size), TYPE, limits);

async function all(form: AsyncIterable<FormPart>) {
  const found = [];
  for await (const { name, filename, content } of form) found.push([name, filename, await textOf(content, 50_000)]);
  return found;
}

const FORM =
  "a preamble\r\n" +
  part('Content-Disposition: form-data; name="mapping"', "layout") +
  file("a.pdf", "%PDF-1.7\r\n----x-\r\n--x-1 is no end\r\n") +
  file("empty.pdf", "") +
  part("content-disposition: form-data; name=file; filename*=UTF-8''na%C3%AFve%20b.pdf", "\r\n\r\n") +
  file("%22q%22.pdf", "-") +
  END;

it.each(Array.from({ length: 40 }, (_, index) => index + 1))("reads the same in pieces of %i bytes", async (size) => {
  expect(await all(parts(FORM, size))).toEqual([
    ["mapping", undefined, "layout"],
    ["file", "a.pdf", "%PDF-1.7\r\n----x-\r\n--x-1 is no end\r\n"],
    ["file", "empty.pdf", ""],
    ["file", "naïve b.pdf", "\r\n\r\n"],
    ["file", '"q".pdf', "-"],
  ]);
});

it("passes over what nobody read of a part", async () => {
  const seen = [];
  for await (const { filename, content } of parts(file("long.pdf", "x".repeat(3_000)) + file("b.pdf", "b") + END)) {
    for await (const _ of content) break;
    seen.push(filename);
  }
  expect(seen).toEqual(["long.pdf", "b.pdf"]);
});

it.each([
  ["cut off in its headers", '----x-1\r\nContent-Disposition: form-data; name="a', /before it was whole/],
  ["cut off in a part", file("a.pdf", "%PDF").slice(0, -3), /before it was whole/],
  ["without an end", file("a.pdf", "%PDF"), /before it was whole/],
  ["no form at all", "nothing of the kind", /before it was whole/],
  ["a part without a name", `${part("Content-Type: text/plain", "x")}${END}`, /no multipart/],
  ["headers without an end", `----x-1\r\n${"x".repeat(9_000)}`, /no multipart/],
  ["more bytes than may be", file("a.pdf", "x".repeat(20_000)) + END, /10000 bytes/],
  ["more parts than may be", file("a.pdf", "x").repeat(11) + END, /10 parts/],
])("refuses %s", async (_, text, why) => {
  await expect(all(parts(text))).rejects.toThrow(why);
});

it("refuses a type without a boundary", async () => {
  await expect(all(formParts(inPieces(FORM, 9), "multipart/form-data", { parts: 1, bytes: 9 }))).rejects.toThrow(
    /no multipart/,
  );
});
