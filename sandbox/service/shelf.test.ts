import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Shelf } from "./shelf.ts";

const root = mkdtempSync(join(tmpdir(), "sluice-shelf-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const empty = (quotaBytes?: number) => {
  made += 1;
  const folder = join(root, String(made));
  return { folder, shelf: new Shelf({ folder, quotaBytes }) };
};

describe("a shelf", () => {
  it("has what was put there, until it is removed", () => {
    const { shelf } = empty();
    shelf.put("a.mp4", new Uint8Array(10));
    expect([shelf.has("a.mp4"), shelf.has("b.mp4")]).toEqual([true, false]);
    shelf.remove("a.mp4");
    expect(shelf.has("a.mp4")).toBe(false);
  });

  it("shows, puts and removes nothing outside of it", () => {
    const { shelf } = empty();
    writeFileSync(join(root, "secret"), "kept");
    expect(shelf.has("../secret")).toBe(false);
    shelf.remove("../secret");
    expect(() => shelf.put("../secret", new Uint8Array(10))).toThrow('"../secret" is no name of a file');
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("kept");
  });

  it("has room within its quota", () => {
    const { shelf } = empty(100);
    shelf.put("a", new Uint8Array(60));
    expect([shelf.hasRoom(40), shelf.hasRoom(41)]).toEqual([true, false]);
  });

  it("can be filled but for what was promised, and is as before when that is over", () => {
    const { shelf } = empty(100);
    shelf.put("a", new Uint8Array(10));
    shelf.fill(true, 30);
    shelf.fill(true, 0);
    expect([shelf.hasRoom(30), shelf.hasRoom(31)]).toEqual([true, false]);
    shelf.fill(false, 0);
    expect([shelf.hasRoom(90), shelf.hasRoom(91)]).toEqual([true, false]);
  });

  it("keeps the newest hundred", () => {
    const { shelf, folder } = empty();
    for (let n = 0; n < 103; n += 1) shelf.put(`f${n}`, new Uint8Array(1));
    expect(readdirSync(folder)).toHaveLength(100);
    expect(shelf.has("f102")).toBe(true);
  });
});
