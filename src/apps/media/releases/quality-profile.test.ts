import { describe, expect, it } from "vitest";
import { type QualityProfileInput, qualityProfileSchema, standardProfile } from "./quality-profile.ts";

const wrong = (profile: unknown): string[] => {
  const checked = qualityProfileSchema.safeParse(profile);
  return checked.success ? [] : checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

describe("a quality profile", () => {
  it("has a default for everything", () => {
    expect(qualityProfileSchema.parse({})).toEqual(standardProfile);
    expect(standardProfile).toMatchObject({
      resolutions: ["1080p", "720p"],
      sources: ["bluray", "webdl", "webrip", "tv"],
      codecs: ["h265", "h264"],
      languages: ["original", "en"],
      minimumSeeders: 1,
      preferPropers: true,
    });
  });

  it("keeps the order, which says what is liked better", () => {
    const profile: QualityProfileInput = { resolutions: ["720p", "2160p"], codecs: ["h264", "av1"] };
    expect(qualityProfileSchema.parse(profile)).toMatchObject(profile);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "a resolution that is none",
      { resolutions: ["1080"] },
      /^resolutions\.0: "1080" is no resolution; there are 2160p, 1080p/,
    ],
    ["a disc", { sources: ["disc"] }, /^sources\.0: "disc" is no source; there are remux, bluray/],
    ["nothing allowed", { codecs: [] }, /^codecs: allow at least one codec: av1, h265/],
    ["the same twice", { sources: ["webdl", "webdl"] }, /^sources: each source once/],
    ["bounds the wrong way round", { minMbPerMinute: 300 }, /^preferredMbPerMinute: .* at least minMbPerMinute, 300/],
    [
      "a preferred size above the most",
      { preferredMbPerMinute: 500 },
      /^maxMbPerMinute: .* at least preferredMbPerMinute, 500/,
    ],
    ["sizes the wrong way round", { minMb: 50, maxMb: 40 }, /^maxMb: .* at least minMb, 50/],
    ["a size of nothing", { minMb: 0 }, /^minMb: minMb has to be more than 0/],
    ["a size in words", { maxMb: "4 GB" }, /^maxMb: maxMb is a number of megabytes/],
    ["an empty word", { forbiddenWords: [" "] }, /^forbiddenWords\.0: an empty word is in every name/],
    ["a word required and forbidden", { requiredWords: ["3d"] }, /^requiredWords: 3d: required and forbidden/],
    ["a language by its name", { languages: ["English"] }, /^languages\.0: "English" is no language here; .*"en"/],
    ["half a seeder", { minimumSeeders: 0.5 }, /^minimumSeeders: minimumSeeders is a whole number/],
    ["what there is not", { resolution: ["1080p"] }, /resolution/],
  ])("refuses %s", (_, profile, message) => {
    expect(wrong(profile)).toHaveLength(1);
    expect(wrong(profile)[0]).toMatch(message);
  });
});
