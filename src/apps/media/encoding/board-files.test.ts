import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seesFolder, seesSource } from "./agent-files.ts";
import { addPiece, arrivedBytes, layOut, outputOf, proofOf, sha256Of, takeWhole } from "./board-files.ts";
import { MARKER } from "./conversation.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-board-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const job = ({ source = 100, keepLarger = false } = {}) => ({
  ...{ key: "k", turn: 2, folder: root, source_bytes: source, profile: { container: "mkv", keepLarger } },
});
const piece = (text: string) => new TextEncoder().encode(text);

describe("what an encoder sees", () => {
  it("is the same file only with as many bytes and the same ones in the place that was chosen", async () => {
    const file = join(root, "film");
    writeFileSync(file, "x".repeat(200_000));
    const proof = await proofOf(file, 200_000, 0.5);
    expect(await seesSource(proof)).toBe(true);
    writeFileSync(file, `${"x".repeat(199_999)}y`);
    expect(await seesSource(await proofOf(file, 200_000, 0.999_999))).toBe(true);
    expect(await seesSource({ ...proof, sha256: proof.sha256.replace(/./, "_") })).toBe(false);
    expect(await seesSource({ ...proof, bytes: 199_999 })).toBe(false);
    expect(await seesSource({ ...proof, path: join(root, "nothing") })).toBe(false);
  });

  it("is the same folder only with what the board has put there", async () => {
    await layOut(root, "abc");
    const markerPath = join(root, MARKER);
    expect(await seesFolder({ path: "", markerPath, marker: "abc" })).toBe(true);
    expect(await seesFolder({ path: "", markerPath, marker: "abd" })).toBe(false);
    expect(await seesFolder({ path: "", markerPath: "/nowhere/x", marker: "abc" })).toBe(false);
    expect(readdirSync(root)).toEqual([MARKER]);
  });
});

describe("a film that arrives", () => {
  it("grows only behind what is there, and gets its name when it is what was sent", async () => {
    expect(await addPiece(job(), 0, piece("abc"))).toBe(3);
    expect(await addPiece(job(), 0, piece("abc"))).toBe(3);
    expect(await addPiece(job(), 9, piece("xyz"))).toBe(3);
    expect(await addPiece(job(), 3, piece("def"))).toBe(6);
    expect(await arrivedBytes(job())).toBe(6);
    writeFileSync(join(root, "other"), "abcdef");
    const sha256 = await sha256Of(join(root, "other"));
    await takeWhole(job(), 6, sha256);
    await takeWhole(job(), 6, sha256);
    expect(readFileSync(outputOf(job()), "utf8")).toBe("abcdef");
    expect(readdirSync(root).toSorted()).toEqual(["2.mkv", "other"]);
  });

  it("is not larger than its source, or ten times where that is asked to be kept", async () => {
    const refused = { kind: "permanent", code: "OUTPUT_TOO_LARGE", message: expect.stringContaining("may have 5,") };
    expect(await addPiece(job({ source: 5 }), 0, piece("abc"))).toBe(3);
    await expect(addPiece(job({ source: 5 }), 3, piece("def"))).rejects.toMatchObject(refused);
    expect(await arrivedBytes(job())).toBe(3);
    expect(await addPiece(job({ source: 5, keepLarger: true }), 3, piece("def"))).toBe(6);
  });

  it("is thrown away where it is something else, and can be sent anew", async () => {
    await addPiece(job(), 0, piece("abX"));
    await expect(takeWhole(job(), 3, "0".repeat(64))).rejects.toMatchObject({
      kind: "transient",
      code: "BAD_TRANSFER",
    });
    expect(await arrivedBytes(job())).toBe(0);
    expect(readdirSync(root)).toEqual([]);
  });
});
