import fc from "fast-check";
import { expect, it } from "vitest";
import { BadForm, boundaryOf, FormReader } from "./form-reader.ts";

async function read(form: Buffer, cuts: readonly number[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const reader = new FormReader("b", {
    onContent: ({ name, isFile }, chunk) => {
      const key = `${isFile ? "file " : ""}${name}`;
      found.set(key, (found.get(key) ?? "") + chunk.toString("latin1"));
    },
  });
  let at = 0;
  for (const cut of [...cuts, form.length]) {
    await reader.push(form.subarray(at, Math.max(at, cut)));
    at = Math.max(at, cut);
  }
  reader.end();
  return found;
}

const part = (name: string, content: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\nContent-Type: a/b\r\n\r\n${content}\r\n`;

it("is the same wherever the line cuts it", async () => {
  const content = fc.array(fc.constantFrom("\r\n", "--", "-", "b", "\r", "--b", "x", "\u0000", "%PDF-"), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(content, fc.array(fc.nat(400), { maxLength: 8 }), async (pieces, cuts) => {
      // What ends a part cannot stand in it.
      const file = pieces.join("");
      fc.pre(!file.includes("\r\n--b"));
      const form = Buffer.from(
        `${part("mapping", "text")}${part("file", file, '; filename="a.pdf"')}--b--\r\n`,
        "latin1",
      );
      const found = await read(
        form,
        cuts.toSorted((a, b) => a - b),
      );
      expect(found.get("mapping")).toBe("text");
      expect(found.get("file file") ?? "").toBe(file);
    }),
  );
});

it.each([
  ["nothing", ""],
  ["no end", part("a", "b")],
  ["something before it", `hello\r\n${part("a", "b")}--b--`],
  ["no name", "--b\r\nContent-Type: x\r\n\r\n\r\n--b--"],
  ["too many parts", `${part("a", "b").repeat(21)}--b--`],
  ["headers without an end", `--b\r\n${"x".repeat(5_000)}`],
  ["a boundary within a line", "--bad\r\n\r\n"],
])("%s is no form", async (_, form) => {
  await expect(read(Buffer.from(form), [])).rejects.toThrow(BadForm);
});

it.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', "a b"],
  ["multipart/form-data", undefined],
  ["multipart/form-data; boundary=", undefined],
  ["application/json; boundary=abc", undefined],
  [undefined, undefined],
])("of %j the boundary is %j", (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});
