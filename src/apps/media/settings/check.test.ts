import { describe, expect, it } from "vitest";
import { checkAddress, checkFolders, checkName, checkRoom, isSameAddress, secretChange } from "./check.ts";

describe("a secret", () => {
  const kept = { url: "http://prowlarr:9696/1/", hasSecret: true };

  it("is set, taken away, or kept where nothing is said of it", () => {
    expect(secretChange("new", kept.url, kept, "apiKey")).toEqual({ put: "new" });
    expect(secretChange("new", "http://elsewhere/", kept, "apiKey")).toEqual({ put: "new" });
    expect(secretChange(null, kept.url, kept, "apiKey")).toBe("forget");
    expect(secretChange(undefined, kept.url, kept, "apiKey")).toBe("keep");
    expect(secretChange(undefined, kept.url, undefined, "apiKey")).toBe("none");
    expect(secretChange(undefined, "http://elsewhere/", { ...kept, hasSecret: false }, "apiKey")).toBe("none");
  });

  it.each([
    "http://elsewhere:9696/1/",
    "http://prowlarr:9697/1/",
    "https://prowlarr:9696/1/",
    "http://prowlarr:9696/2/",
  ])("is never kept for another address: %s", (url) => {
    expect(() => secretChange(undefined, url, kept, "apiKey")).toThrow(/^apiKey: the one that is kept is for http:/);
  });

  it("of TMDB's own address is not kept for a mirror, nor the other way round", () => {
    expect(() => secretChange(undefined, "http://mirror/3/", { url: null, hasSecret: true }, "key")).toThrow(/give it/);
    expect(() => secretChange(undefined, null, { url: "http://mirror/3/", hasSecret: true }, "key")).toThrow(/give it/);
    expect(secretChange(undefined, null, { url: null, hasSecret: true }, "key")).toBe("keep");
  });
});

describe("an address", () => {
  it("is the same however it is spelled", () => {
    expect(isSameAddress("http://NAS:80/", "http://nas")).toBe(true);
    expect(isSameAddress("http://nas/", "http://nas/1/")).toBe(false);
  });

  it.each([
    ["ftp://nas/", "an address such as"],
    ["nas", "an address such as"],
    ["http://ann:secret@nas/", "without a name and a password in it; give apiKey"],
    ["http://nas/1/api?apikey=secret", "a key is given as apiKey"],
    ["http://nas/#x", "without what comes after ? or #"],
  ])("%s is refused, and not told", (url, words) => {
    expect(() => checkAddress(url, "apiKey")).toThrow(words);
    expect(() => checkAddress(url, "apiKey")).not.toThrow(/secret/);
  });
});

describe("folders", () => {
  const with_ = (folder: string | null, theirs = "/downloads", ours = "/mnt") => ({
    folder,
    paths: [{ theirs, ours }],
  });

  it("are whole paths", () => {
    expect(() => checkFolders(with_(null))).not.toThrow();
    expect(() => checkFolders(with_("/downloads/films"))).not.toThrow();
  });

  it.each([
    [with_("downloads"), "folder: a whole path"],
    [with_("/downloads/../etc"), "folder: a whole path"],
    [with_(null, "C:\\downloads"), "paths.0.theirs: a whole path"],
    [with_(null, "/downloads", "mnt"), "paths.0.ours: a whole path"],
  ])("%j are refused by their field", (given, words) => {
    expect(() => checkFolders(given)).toThrow(words);
  });
});

it("names are plain, and there are only so many", () => {
  for (const name of ["", "-x", "a/b", "a b", "x".repeat(64)]) expect(() => checkName(name)).toThrow(/^name: letters/);
  checkName("prowlarr.1337x_2-b");
  const two = [{ name: "a" }, { name: "b" }];
  checkRoom(two, "c", 3, "indexers");
  checkRoom(two, "a", 2, "indexers");
  expect(() => checkRoom(two, "c", 2, "indexers")).toThrow("there are 2 indexers already");
});
