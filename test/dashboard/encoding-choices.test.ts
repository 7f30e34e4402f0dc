import { expect, it } from "vitest";
import {
  CODECS,
  crfOf,
  heightsWith,
  presetsOf,
  usualPreset,
} from "../../dashboard/src/pages/settings/delivery/encoding-choices.ts";
import { encodingProfile } from "../../src/connectors/encoder/profile.ts";

it.each(CODECS)("what is chosen already of %s is what the server takes where nothing is said", (codec) => {
  const usual = encodingProfile.parse({ name: "x", codec });
  expect([crfOf(codec).usual, usualPreset(codec)]).toEqual([usual.crf, String(usual.preset)]);
});

it.each(CODECS)("every choice there is of %s is one that the server takes", (codec) => {
  const { most } = crfOf(codec);
  const read = (value: string) => (codec === "av1" ? Number(value) : value);
  for (const { value } of presetsOf(codec))
    expect(encodingProfile.safeParse({ name: "x", codec, crf: most, preset: read(value) }).success).toBe(true);
  expect(encodingProfile.safeParse({ name: "x", codec, crf: most + 1 }).success).toBe(false);
});

it("a height that was set otherwise stands among those that are offered", () => {
  expect(heightsWith(800).map(({ value }) => value)).toEqual(["", "2160", "1440", "1080", "800", "720", "576", "480"]);
  expect(heightsWith(null)).toHaveLength(7);
});
