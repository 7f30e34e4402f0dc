import { describe, expect, it } from "vitest";
import { audio, cover, factsOf, other, subtitle, video } from "../../../test/support/film-facts.ts";
import { argsFor, scaleOf } from "./args.ts";
import { type EncodingProfileInput, encodingProfile } from "./profile.ts";

const OPTIONS = { progress: "/work/job/progress", progressMs: 2_000, threads: null };
const profileOf = (more: Partial<EncodingProfileInput> = {}) =>
  encodingProfile.parse({ name: "small", codec: "h264", ...more });
const args = (
  more: Partial<EncodingProfileInput>,
  streams: Parameters<typeof factsOf>[0] = [video(), audio()],
  options: Partial<typeof OPTIONS | { threads: number }> = {},
) => argsFor(profileOf(more), factsOf(streams), "/in.mkv", "/out.mkv", { ...OPTIONS, ...options });
/** What stands behind an option, every time it does. */
const behind = (all: readonly string[], option: string) => all.filter((_, at) => all[at - 1] === option);

describe("what ffmpeg is told", () => {
  it("is, as a whole", () => {
    expect(args({}).join(" ")).toBe(
      "-nostdin -hide_banner -nostats -loglevel error -y -progress file:/work/job/progress -stats_period 2 " +
        "-protocol_whitelist file -format_whitelist matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mpegts,mpeg,avi,asf,flv,ogg,m4v,wtv " +
        "-i file:/in.mkv -map 0:0 -map 0:1 -c:v libx264 -crf 21 -preset medium -pix_fmt yuv420p -c:a:0 copy " +
        "-max_interleave_delta 0 -max_muxing_queue_size 4096 -avoid_negative_ts make_zero -f matroska file:/out.mkv",
    );
  });

  it.each([
    ["h264", {}, ["libx264"]],
    ["hevc", {}, ["libx265"]],
    ["av1", {}, ["libsvtav1"]],
  ] as const)("encodes %s by its encoder", (codec, more, encoder) => {
    expect(behind(args({ codec, ...more } as EncodingProfileInput), "-c:v")).toEqual(encoder);
  });

  it("names every stream by its place, the film once, and no cover", () => {
    const streams = [cover, audio("ac3", "eng"), video(), video("h264", 480), subtitle(), other("bin_data")];
    expect(behind(args({}, streams), "-map")).toEqual(["0:2", "0:1", "0:4"]);
  });

  it("keeps the threads to what they may be, of the source and of each encoder", () => {
    expect(behind(args({}, undefined, { threads: 2 }), "-threads")).toEqual(["2", "2"]);
    expect(behind(args({ codec: "hevc" }, undefined, { threads: 2 }), "-x265-params")).toEqual([
      "log-level=error:pools=2",
    ]);
    expect(behind(args({ codec: "av1" }, undefined, { threads: 2 }), "-svtav1-params")).toEqual(["lp=2"]);
  });

  it("keeps ten bits where the codec is for them", () => {
    const deep = [video("hevc", 1_080, { pixelFormat: "yuv420p10le" })];
    expect(behind(args({ codec: "hevc" }, deep), "-pix_fmt")).toEqual(["yuv420p10le"]);
    expect(behind(args({ codec: "av1" }, [video("h264", 1_080, { pixelFormat: "yuv420p" })]), "-pix_fmt")).toEqual([
      "yuv420p",
    ]);
    expect(behind(args({ codec: "h264" }, deep), "-pix_fmt")).toEqual(["yuv420p"]);
  });

  it("makes sound that is not copied at the rate that is set, and a layout that Opus has", () => {
    const opus = args({ audio: { codec: "opus", kbps: 96 } }, [video(), audio("dts"), audio("opus")]);
    expect([behind(opus, "-c:a:0"), behind(opus, "-b:a:0"), behind(opus, "-c:a:1")]).toEqual([
      ["libopus"],
      ["96k"],
      ["copy"],
    ]);
    expect(behind(opus, "-filter:a:0")[0]).toContain("5.1");
  });

  it("writes mp4 that can be played while it is loaded, and by Apple's players", () => {
    const mp4 = args({ codec: "hevc", container: "mp4" }, [video(), subtitle("ass")]);
    expect([behind(mp4, "-movflags"), behind(mp4, "-f"), behind(mp4, "-tag:v"), behind(mp4, "-c:s:0")]).toEqual([
      ["+faststart"],
      ["mp4"],
      ["hvc1"],
      ["mov_text"],
    ]);
  });
});

describe("a name", () => {
  it.each([
    "/films/-i.mkv",
    "/films/%05d.png",
    "/films/concat:a|b.mkv",
    "/films/http://evil/list.m3u8",
    "/films/two\nlines.mkv",
    "/films/$(reboot) 'and' \"more\".mkv",
  ])("that means something to ffmpeg is a name all the same: %j", (name) => {
    const all = argsFor(profileOf(), factsOf([video()]), name, `${name}.out`, OPTIONS);
    expect(behind(all, "-i")).toEqual([`file:${name}`]);
    expect(all.at(-1)).toBe(`file:${name}.out`);
    expect(all.filter((one) => one.includes(name))).toHaveLength(2);
  });
});

describe("the size", () => {
  it.each([
    ["higher than it may be", 720, 1_920, 1_080, "scale=-2:720"],
    ["as high as it may be", 1_080, 1_920, 1_080, null],
    ["lower than it may be", 2_160, 1_920, 1_080, null],
    ["without a bound", null, 3_840, 2_160, null],
    ["odd", null, 853, 480, "scale=trunc(iw/2)*2:trunc(ih/2)*2"],
    ["odd, and lower", 1_080, 720, 405, "scale=trunc(iw/2)*2:trunc(ih/2)*2"],
    ["unknown", 720, null, null, "scale=trunc(iw/2)*2:trunc(ih/2)*2"],
  ] as const)("of what is %s", (_, most, width, height, expected) => {
    expect(scaleOf(most, width, height)).toBe(expected);
  });
});
