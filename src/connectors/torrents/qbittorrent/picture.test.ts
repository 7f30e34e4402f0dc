import { describe, expect, it } from "vitest";
import { Picture, readChanges } from "./picture.ts";

const ONE = "1".repeat(40);
const OTHER = "2".repeat(40);
const V1 = "a".repeat(40);

function pictureOf(...answers: readonly object[]): Picture {
  const picture = new Picture();
  for (const [at, answer] of answers.entries()) picture.merge(readChanges({ rid: at + 1, ...answer }));
  return picture;
}

describe("what qBittorrent has", () => {
  it("is put together from what changed, and goes on from the last answer", () => {
    const picture = pictureOf(
      { full_update: true, torrents: { [ONE]: { state: "metaDL", name: "film" } }, server_state: { free: 1, up: 2 } },
      { torrents: { [ONE]: { state: "downloading" } }, server_state: { free: 0 } },
    );
    expect(picture.find(ONE)?.raw).toEqual({ state: "downloading", name: "film" });
    expect([picture.rid, picture.server]).toEqual([2, { free: 0, up: 2 }]);
  });

  it("knows the tags there are, and whether a torrent besides this one has one", () => {
    const picture = pictureOf(
      { torrents: { [ONE]: { tags: "a, b" }, [OTHER]: { tags: "b" } }, tags: ["a", "b", "c"] },
      { tags_removed: ["c"] },
    );
    expect(["a", "b", "c"].map((tag) => picture.hasTag(tag))).toEqual([true, true, false]);
    expect(["a", "b"].map((tag) => picture.isTagUsedBesides(tag, ONE))).toEqual([false, true]);
  });

  it("keeps a hybrid that changed its name when its metadata came", () => {
    const picture = pictureOf(
      { torrents: { [V1]: { infohash_v1: V1, state: "metaDL" } } },
      { torrents: { [ONE]: { infohash_v1: V1, state: "downloading" } } },
      { torrents_removed: [V1] },
    );
    expect(picture.find(V1)).toMatchObject({ id: ONE, raw: { state: "downloading" } });
  });

  it("leaves out names that nobody could be asked for", () => {
    const torrents = { "../../app/shutdown": { state: "downloading" }, [ONE]: {} };
    expect([...pictureOf({ torrents }).torrents].map(([id]) => id)).toEqual([ONE]);
  });
});
