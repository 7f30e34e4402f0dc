import { describe, expect, it } from "vitest";
import { audio, cover, factsOf, other, subtitle, video } from "../../../test/support/film-facts.ts";
import { type EncodingProfileInput, encodingProfile } from "./profile.ts";
import { skipReason } from "./skip.ts";
import { keptStreams } from "./streams.ts";

const profileOf = (more: Partial<EncodingProfileInput> = {}) =>
  encodingProfile.parse({ name: "small", codec: "hevc", ...more });
type Streams = Parameters<typeof factsOf>[0];
const kept = (more: Partial<EncodingProfileInput>, streams: Streams) =>
  keptStreams(profileOf(more), factsOf([video(), ...streams]))
    .slice(1)
    .map(({ index, codec, isCopied }) => `${index} ${isCopied ? "is" : "becomes"} ${codec}`);

describe("sound", () => {
  const three = [audio("ac3", "eng"), audio("dts", "ger"), audio("aac")];
  it.each([
    ["all of it", {}, three, ["1 is ac3", "2 is dts", "3 is aac"]],
    [
      "a language, by whichever code, and what tells none",
      { audio: { keep: ["de"] } },
      three,
      ["2 is dts", "3 is aac"],
    ],
    ["by three letters", { audio: { keep: ["deu"] } }, three, ["2 is dts", "3 is aac"]],
    ["the first, where the language is not there", { audio: { keep: ["fr"] } }, three.slice(0, 2), ["1 is ac3"]],
    ["as one codec", { audio: { codec: "aac" } }, three, ["1 becomes aac", "2 becomes aac", "3 is aac"]],
    ["what mp4 cannot hold becomes aac", { container: "mp4" }, three, ["1 is ac3", "2 becomes aac", "3 is aac"]],
    ["nothing, of a film without", {}, [], []],
    ["what ffmpeg knows", {}, [audio("unknown"), audio("aac")], ["2 is aac"]],
  ] as const)("that is kept: %s", (_, more, streams, expected) => {
    expect(kept(more as Partial<EncodingProfileInput>, streams)).toEqual(expected);
  });
});

describe("subtitles", () => {
  const four = [
    subtitle("subrip", "eng"),
    subtitle("hdmv_pgs_subtitle", "eng"),
    subtitle("mov_text"),
    subtitle("eia_608"),
  ];
  it.each([
    ["in mkv", {}, four, ["1 is subrip", "2 is hdmv_pgs_subtitle", "3 becomes subrip"]],
    ["in mp4, which holds no pictures", { container: "mp4" }, four, ["1 becomes mov_text", "3 is mov_text"]],
    ["none", { subtitles: "none" }, four, []],
    ["of a language", { subtitles: ["de"] }, four, ["3 becomes subrip"]],
    ["with their fonts", {}, [subtitle("ass"), other("ttf"), other("bin_data")], ["1 is ass", "2 is ttf"]],
    ["fonts that nobody needs", {}, [subtitle("subrip"), other("ttf")], ["1 is subrip"]],
  ] as const)("that are kept: %s", (_, more, streams, expected) => {
    expect(kept(more as Partial<EncodingProfileInput>, streams)).toEqual(expected);
  });
});

describe("a film that already is what is asked for", () => {
  const asked = { codec: "hevc", maxHeight: 1_080 } as const;
  it("is told in a sentence", () => {
    expect(skipReason(profileOf(asked), factsOf([video("hevc"), audio("ac3"), cover]))).toBe(
      'it is HEVC in mkv of 1080 lines already, as "small" asks for',
    );
  });

  it.each([
    ["another codec", {}, [video("h264")], {}],
    ["too high", {}, [video("hevc", 2_160)], {}],
    ["of a height nobody knows", {}, [video("hevc", 1_080, { height: null })], {}],
    ["another container", {}, [video("hevc")], { format: "mov,mp4,m4a,3gp,3g2,mj2" }],
    ["other sound", { audio: { codec: "opus" } }, [video("hevc"), audio("aac")], {}],
    ["a language too many", { audio: { keep: ["en"] } }, [video("hevc"), audio("aac", "eng"), audio("aac", "ger")], {}],
    ["subtitles nobody wants", { subtitles: "none" }, [video("hevc"), subtitle()], {}],
    ["no film at all", {}, [audio()], {}],
  ] as const)("is none where it is %s", (_, more, streams, facts) => {
    const profile = profileOf({ ...asked, ...more } as Partial<EncodingProfileInput>);
    expect(skipReason(profile, factsOf(streams, facts))).toBeNull();
  });
});

describe("a profile", () => {
  it("has defaults for all but its name and its codec", () => {
    expect(profileOf()).toEqual({
      ...{ name: "small", codec: "hevc", crf: 24, preset: "medium", container: "mkv", maxHeight: null },
      ...{ audio: { keep: "all", codec: "copy", kbps: 160 }, subtitles: "all", keepLarger: false },
    });
  });

  it.each([
    ["a quality beyond its codec", { codec: "h264", crf: 52 }],
    ["a quality beyond AV1", { codec: "av1", crf: 64 }],
    ["lossless", { codec: "h264", crf: 0 }],
    ["a preset of another codec", { codec: "av1", preset: "slow" }],
    ["a preset nobody has", { codec: "h264", preset: "placebo; rm -rf /" }],
    ["an odd height", { codec: "h264", maxHeight: 719 }],
    ["a language that is none", { codec: "h264", audio: { keep: ["-map"] } }],
    ["no language", { codec: "h264", audio: { keep: [] } }],
    ["another codec", { codec: "vp9" }],
    ["what it does not know", { codec: "h264", extra: "-vf movie=/etc/passwd" }],
  ])("refuses %s", (_, more) => {
    expect(encodingProfile.safeParse({ name: "small", ...more }).success).toBe(false);
  });
});
