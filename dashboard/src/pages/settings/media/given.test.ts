import { describe, expect, it } from "vitest";
import { clientIn, indexerIn, listIn, metadataIn, profileIn, secretIn } from "./given.ts";

describe("a secret", () => {
  it("stays where its field is empty", () => expect(secretIn({ key: "" }, "key")).toEqual({}));
  it("is what was typed", () => expect(secretIn({ key: "abc", "key.forget": "on" }, "key")).toEqual({ key: "abc" }));
  it("goes where that was ticked", () =>
    expect(secretIn({ key: "", "key.forget": "on" }, "key")).toEqual({ key: null }));
});

it("a list is what stands between commas", () => {
  expect(listIn(" 1080p,, 720p ")).toEqual(["1080p", "720p"]);
  expect(listIn("")).toEqual([]);
});

it("an indexer's categories are numbers; what is not ticked is off", () => {
  expect(
    indexerIn({ url: " http://a/1/ ", apiKey: "", categories: "2000, 2010", links: "lan", priority: "10" }),
  ).toEqual({
    ...{ url: "http://a/1/", categories: [2000, 2010], links: "lan", priority: 10, isOn: false },
  });
});

it("a client has the rows of folders that say something; the embedded one has no name", () => {
  const given = {
    ...{ kind: "qbittorrent", url: "http://nas:8080", username: "admin", password: "x", folder: "", priority: "25" },
    ...{ "theirs.0": "/downloads", "ours.0": "/srv/downloads", "theirs.3": "", "ours.3": "", isOn: "on" },
  };
  expect(clientIn(given)).toEqual({
    ...{ kind: "qbittorrent", url: "http://nas:8080", username: "admin", password: "x", folder: null, priority: 25 },
    ...{ paths: [{ theirs: "/downloads", ours: "/srv/downloads" }], isOn: true },
  });
  expect(clientIn({ ...given, kind: "embedded", url: "" })).toMatchObject({
    kind: "embedded",
    url: null,
    username: null,
  });
});

it("of metadata, what is empty is as the service has it", () => {
  expect(metadataIn({ key: "", language: " ", url: "" })).toEqual({ language: null, url: null });
});

it("a profile has its words in their order, and its numbers", () => {
  const profile = profileIn({ resolutions: "720p, 1080p", minMb: "30", maxMb: "4.5", preferPropers: "on" });
  expect(profile).toMatchObject({ resolutions: ["720p", "1080p"], minMb: 30, maxMb: 4.5, preferPropers: true });
  expect(profile.bannedGroups).toEqual([]);
});
