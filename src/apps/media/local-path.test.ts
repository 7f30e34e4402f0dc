import { describe, expect, it } from "vitest";
import { localPath } from "./local-path.ts";

const mappings = [
  { theirs: "/downloads", ours: "/mnt/torrents" },
  { theirs: "/downloads/films/", ours: "/mnt/films" },
];

describe("a path of a download client", () => {
  it.each([
    ["/downloads/a.mkv", "/mnt/torrents/a.mkv"],
    ["/downloads/films/a/b.mkv", "/mnt/films/a/b.mkv"],
    ["/downloads//films/./a.mkv", "/mnt/films/a.mkv"],
    ["/downloads", "/mnt/torrents"],
    // Begins alike, and is another folder.
    ["/downloads-old/a.mkv", null],
    ["/elsewhere/a.mkv", null],
    ["/downloads/../etc/passwd", null],
    ["/downloads/..", null],
    ["downloads/a.mkv", null],
    ["/downloads/a\0.mkv", null],
    ["", null],
  ])("%s is %s here", (theirs, ours) => {
    expect(localPath(theirs, mappings)).toBe(ours);
  });

  it("is the same here where nothing is mapped", () => {
    expect(localPath("/srv//a.mkv", [])).toBe("/srv/a.mkv");
    expect(localPath("/srv/../a.mkv", [])).toBeNull();
  });

  it("may be mapped from or to the root", () => {
    expect(localPath("/a.mkv", [{ theirs: "/", ours: "/mnt/nas" }])).toBe("/mnt/nas/a.mkv");
    expect(localPath("/data/a.mkv", [{ theirs: "/data", ours: "/" }])).toBe("/a.mkv");
  });
});
