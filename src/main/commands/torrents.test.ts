import { resolve } from "node:path";
import { expect, it } from "vitest";
import { UsageError } from "../exit.ts";
import { torrentSettings } from "./torrents.ts";

it("unless it is said otherwise, nobody can reach it, and it calls no neighbours", () => {
  expect(torrentSettings({ folder: "downloads" })).toMatchObject({
    folder: resolve("downloads"),
    port: 7471,
    peerHost: "127.0.0.1",
    isPublic: false,
    reach: "public",
    downloadLimit: 0,
    seedRatio: 1,
    seedMs: 86_400_000,
  });
});

it("what is typed counts", () => {
  const typed = { folder: "/d", downloadLimit: "5", seedTime: "2h", seedRatio: "0.5", lan: true, public: true };
  expect(torrentSettings(typed)).toMatchObject({
    downloadLimit: 5_120,
    seedMs: 7_200_000,
    seedRatio: 0.5,
    reach: "lan",
    isPublic: true,
  });
});

it.each([
  [{}, "needs --folder"],
  [{ folder: "d", downloadLimit: "fast" }, "--download-limit must be a whole number"],
  [{ folder: "d", atATime: "" }, "--at-a-time must be a whole number"],
  [{ folder: "d", seedRatio: "-1" }, "--seed-ratio must be a number"],
  [{ folder: "d", seedTime: "soon" }, "--seed-time"],
])("%j is refused", (options, words) => {
  expect(() => torrentSettings(options)).toThrow(UsageError);
  expect(() => torrentSettings(options)).toThrow(words);
});
