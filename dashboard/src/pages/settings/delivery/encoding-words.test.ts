import { expect, it } from "vitest";
import type { EncodingView } from "../../../../../src/server/contract/wire.ts";
import { encodingWords } from "./encoding-words.ts";

const hevc: EncodingView = {
  ...{ name: "hevc", codec: "hevc", crf: 24, preset: "medium", container: "mkv", maxHeight: null },
  ...{ audio: { keep: "all", codec: "copy", kbps: 160 }, subtitles: "all", keepLarger: false, isAsItCame: true },
};

it("an encoding that leaves everything as it is says so", () => {
  expect(encodingWords(hevc)).toBe(
    "HEVC, quality 24, medium · as high as it is · MKV · sound as it is · all subtitles",
  );
});

it("one that does more says what", () => {
  const small: EncodingView = {
    ...hevc,
    ...{ codec: "av1", preset: 6, container: "mp4", maxHeight: 720, keepLarger: true, subtitles: ["de"] },
    audio: { keep: ["de", "en"], codec: "opus", kbps: 96 },
  };
  expect(encodingWords(small)).toBe(
    "AV1, quality 24, 6 · at most 720p · MP4 · sound as Opus with 96 kbit/s, only de, en · subtitles in de · kept also where it came out larger",
  );
  expect(encodingWords({ ...hevc, subtitles: "none" })).toContain("no subtitles");
});
