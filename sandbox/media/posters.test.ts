import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { posterOf } from "./posters.ts";

it("a title has a poster of its own, always the same, which is a picture of 240 by 360", () => {
  const [one, other] = [posterOf("Winter Harbour"), posterOf("Nine Lanterns")];
  expect(one.equals(posterOf("Winter Harbour"))).toBe(true);
  expect(one.equals(other)).toBe(false);
  expect(one.subarray(1, 4).toString()).toBe("PNG");
  expect([one.readUInt32BE(16), one.readUInt32BE(20)]).toEqual([240, 360]);
  const data = one.subarray(41, 41 + one.readUInt32BE(33));
  expect(inflateSync(data).length).toBe(360 * (1 + 240 * 3));
});
