import { describe, expect, it, test } from "vitest";
import type { TorrentState } from "../torrents.ts";
import { toSeenTorrent } from "./states.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const whole = {
  name: "film",
  total_size: 100,
  size: 100,
  completed: 100,
  progress: 1,
  save_path: "/d",
  content_path: "/d/film.mkv",
};

describe("qBittorrent's words", () => {
  test.each<[string, TorrentState]>([
    ["metaDL", "metadata"],
    ["forcedMetaDL", "metadata"],
    ["checkingResumeData", "checking"],
    ["checkingDL", "checking"],
    ["checkingUP", "checking"],
    ["queuedDL", "queued"],
    ["pausedDL", "paused"],
    ["stoppedDL", "paused"],
    ["downloading", "downloading"],
    ["forcedDL", "downloading"],
    ["stalledDL", "downloading"],
    ["moving", "moving"],
    ["uploading", "complete"],
    ["stalledUP", "complete"],
    ["forcedUP", "complete"],
    ["queuedUP", "complete"],
    ["pausedUP", "complete"],
    ["stoppedUP", "complete"],
    ["error", "failed"],
    ["missingFiles", "missing-files"],
    ["unknown", "unknown"],
    ["aWordOfTomorrow", "unknown"],
  ])("%s is %s, also where all of it is there", (word, state) => {
    expect(toSeenTorrent(ID, { ...whole, state: word })).toMatchObject({ state, clientState: word });
  });

  it("say what is wrong only where something is", () => {
    const problem = (state: string) => toSeenTorrent(ID, { ...whole, state }).problem;
    expect([problem("error"), problem("missingFiles")]).toEqual([
      expect.stringContaining("error"),
      expect.stringContaining("does not find the files"),
    ]);
    expect([problem("stalledDL"), problem("stalledUP"), problem("aWordOfTomorrow")]).toEqual([null, null, null]);
  });
});

describe("where a torrent lies", () => {
  const place = (raw: object) => {
    const { path, folder } = toSeenTorrent(ID, { ...whole, state: "stalledUP", ...raw });
    return [path, folder];
  };

  test.each<[string, object, unknown]>([
    ["its file", {}, ["/d/film.mkv", "/d"]],
    ["its folder", { content_path: "/d/Pack", save_path: "/d/" }, ["/d/Pack", "/d"]],
    ["without a folder of its own", { content_path: "/d" }, ["/d", "/d"]],
    ["while it is incomplete, elsewhere", { content_path: "/t/film.mkv", download_path: "/t" }, ["/t/film.mkv", "/t"]],
    ["on a Windows disk", { content_path: "C:/d/film.mkv", save_path: "C:/d" }, ["C:/d/film.mkv", "C:/d"]],
    ["before it has loaded its notes", { state: "checkingResumeData", content_path: "film.mkv" }, [null, null]],
    ["while its files are moved", { state: "moving" }, [null, null]],
    ["before there is metadata", { state: "metaDL", total_size: -1, content_path: "" }, [null, null]],
    ["in a folder that only begins alike", { content_path: "/data/film.mkv" }, [null, null]],
  ])("%s", (_, raw, expected) => expect(place(raw)).toEqual(expected));
});

describe("figures", () => {
  it("are nothing where they are nonsense", () => {
    const nonsense = { state: "downloading", completed: -1, downloaded: "many", ratio: Number.NaN, num_seeds: -1 };
    expect(toSeenTorrent(ID, { ...nonsense, total_size: -1, size: 7 })).toMatchObject({
      doneBytes: 0,
      receivedBytes: 0,
      ratio: 0,
      seeds: 0,
      wantedBytes: null,
    });
    expect(toSeenTorrent(ID, {})).toMatchObject({ infohash: ID, state: "unknown", name: "", seeds: null, tags: [] });
  });

  it("are of what is wanted, where not all of it is", () => {
    expect(toSeenTorrent(ID, { ...whole, state: "downloading", size: 40, completed: 10 })).toMatchObject({
      wantedBytes: 40,
      doneBytes: 10,
    });
  });
});

describe("tags", () => {
  it("are ours alone, and ours is what has the one besides", () => {
    const tagged = (tags: string) => toSeenTorrent(ID, { tags });
    expect(tagged("films, sluice, sluice-a,sluice-b, sluicer")).toMatchObject({
      tags: ["sluice-a", "sluice-b"],
      isOurs: true,
    });
    expect(tagged("sluice-a")).toMatchObject({ tags: ["sluice-a"], isOurs: false });
  });
});
