import { expect, test } from "vitest";
import { infohashOfMagnet } from "./magnet.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";

test.each<[string, string | null]>([
  [`magnet:?xt=urn:btih:${HASH}`, HASH],
  [`MAGNET:?dn=a&xt=urn:btih:${HASH.toUpperCase()}&tr=x`, HASH],
  ["magnet:?xt=urn:btih:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH", HASH],
  [`magnet:?xt=urn%3Abtih%3A${HASH}`, HASH],
  [`magnet:?xt=urn:btmh:1220${"a".repeat(64)}&xt=urn:btih:${HASH}`, HASH],
  [`magnet:?xt=urn:btmh:1220${"a".repeat(64)}`, null],
  ["magnet:?xt=urn:btih:123", null],
  ["magnet:?dn=nothing", null],
  [`http://x/?xt=urn:btih:${HASH}`, null],
  [`magnet:?xt=urn:btih:${HASH}&tr=${"x".repeat(20_000)}`, null],
  ["", null],
])("%s", (magnet, expected) => {
  expect(infohashOfMagnet(magnet)).toBe(expected);
});
