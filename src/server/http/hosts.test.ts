import { describe, expect, it } from "vitest";
import { isForeign, isOwnHost, type Sender } from "./hosts.ts";

const configured = new Set(["sluice.example.org"]);

describe("a host that we answer to", () => {
  it.each([
    "localhost",
    "localhost:3000",
    "127.0.0.1:3000",
    "192.168.1.20",
    "[::1]:3000",
    "nas",
    "NAS:3000",
    "nas.local",
    "media.home.arpa:80",
    "sluice.example.org",
    "sluice.example.org.",
    "Sluice.Example.org:443",
  ])("%s", (host) => expect(isOwnHost(host, configured)).toBe(true));

  it.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "sluice.example.org.evil.example",
    "a b",
    "user@localhost",
    "localhost/..",
  ])("not %s", (host) => expect(isOwnHost(host, configured)).toBe(false));
});

describe("a request that a page of another site may have sent", () => {
  const own: Sender = {
    method: "POST",
    host: "nas:3000",
    origin: "http://nas:3000",
    site: undefined,
    isNavigation: false,
    hasCookie: true,
  };
  it.each<[string, Partial<Sender>, boolean]>([
    ["our own page", {}, false],
    ["our own page behind HTTPS", { host: "nas", origin: "https://nas" }, false],
    ["another site", { origin: "https://evil.example" }, true],
    ["another port of the same machine", { origin: "http://nas:8080" }, true],
    ["a sandboxed frame", { origin: "null" }, true],
    ["an extension's page", { origin: "moz-extension://x" }, true],
    ["another site that listens", { method: "GET", origin: "https://evil.example" }, true],
    ["a script with a key", { origin: undefined, hasCookie: false }, false],
    ["a cookie without an origin", { origin: undefined }, true],
    ["reading, with a cookie", { method: "GET", origin: undefined }, false],
    ["reading, from another site", { method: "GET", origin: undefined, site: "cross-site" }, true],
    [
      "a link to us, without a cookie",
      { method: "GET", origin: undefined, site: "cross-site", hasCookie: false },
      false,
    ],
    [
      "a link from another page of the network",
      { method: "GET", origin: undefined, site: "same-site", isNavigation: true },
      false,
    ],
    ["the same host without HTTPS", { host: "nas", origin: "http://nas", site: "cross-site" }, true],
    ["typed into the address bar", { method: "GET", origin: undefined, site: "none" }, false],
  ])("%s: %j", (_, change, expected) => expect(isForeign({ ...own, ...change })).toBe(expected));
});
