import { describe, expect, it } from "vitest";
import { encodingProfile } from "../../../connectors/index.ts";
import { boardWord } from "./conversation.ts";

const task = {
  ...{ key: "slu-abc-Ab_9-x", turn: 2, profile: encodingProfile.parse({ name: "small", codec: "hevc" }) },
  source: { path: "/films/a film.mkv", bytes: 9, at: 0, length: 9, sha256: "0".repeat(64) },
  output: { path: "/encodes/k/2.mkv", markerPath: "/encodes/k/.sluice-marker", marker: "abc" },
};
const word = { begin: [task], drop: [], taken: [], trial: null, againMs: 15_000 };
const told = (change: object) => boardWord.safeParse({ ...word, begin: [{ ...task, ...change }] }).success;

describe("what an encoder takes from a server", () => {
  it("is a job with a plain name, whole paths, and a film beside its marker", () => {
    expect(boardWord.parse(word)).toEqual(word);
    const trial = { trial: "ab12", path: "/encodes/.sluice-test-ab12", marker: "ab12" };
    expect(boardWord.parse({ ...word, trial })).toMatchObject({ trial });
  });

  it.each(["../../etc/cron.d/x", "a/b", "a\\b", "a.b", "..", "", "a\0b", "a b", "x".repeat(181)])(
    "is nothing called %j: files are named by it",
    (key) => {
      expect(told({ key })).toBe(false);
      expect(boardWord.safeParse({ ...word, drop: [{ key, turn: 1 }] }).success).toBe(false);
    },
  );

  it.each([
    ["a film elsewhere", { path: "/home/ann/.ssh/2.mkv" }],
    ["a film by another name", { path: "/encodes/k/authorized_keys" }],
    ["a film of another turn", { path: "/encodes/k/1.mkv" }],
    ["a marker that any file could be", { markerPath: "/encodes/k/passwd" }],
    ["a marker that leads elsewhere", { marker: "../x" }],
    ["a path that goes up", { path: "/encodes/k/../j/2.mkv", markerPath: "/encodes/k/../j/.sluice-marker" }],
    ["a path that begins nowhere", { path: "k/2.mkv", markerPath: "k/.sluice-marker" }],
  ])("is not %s", (_, change) => {
    expect(told({ output: { ...task.output, ...change } })).toBe(false);
  });

  it("is no setting that ffmpeg would be told and nobody has checked", () => {
    expect(told({ profile: { ...task.profile, preset: "medium -f tee" } })).toBe(false);
    expect(told({ profile: { ...task.profile, filter: "movie=/etc/passwd" } })).toBe(false);
    expect(told({ profile: { ...task.profile, container: "../x" } })).toBe(false);
    expect(told({ source: { ...task.source, path: "http://elsewhere/film.mkv" } })).toBe(false);
    const trial = { trial: "ab12", path: "/etc/passwd", marker: "root" };
    expect(boardWord.safeParse({ ...word, trial }).success).toBe(false);
    expect(boardWord.safeParse({ ...word, againMs: Number.NaN }).success).toBe(false);
  });
});
