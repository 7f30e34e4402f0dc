// What a whole film is, on files that ffmpeg makes and that are damaged in every way that was met.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notWhole, videoProbe } from "../../src/connectors/video/index.ts";

const SECONDS = 20;
/** Of this only the end is read. */
const LONG_SECONDS = 180;
let folder: string;
const probe = videoProbe();
const at = (name: string) => path.join(folder, name);
const verdict = async (name: string) => notWhole(await probe.facts(at(name)));

function make(name: string, ...more: string[]): void {
  const seconds = name.startsWith("long") ? LONG_SECONDS : SECONDS;
  const [film, tone] = [`testsrc2=size=320x180:rate=12:duration=${seconds}`, `sine=frequency=440:duration=${seconds}`];
  const sources = ["-f", "lavfi", "-i", film, "-f", "lavfi", "-i", tone];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-shortest"];
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...sources, ...codecs, ...more, at(name)]);
}
function cut(from: string, name: string, share = 0.6): void {
  const bytes = readFileSync(at(from));
  writeFileSync(at(name), bytes);
  truncateSync(at(name), Math.floor(bytes.length * share));
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-video-"));
  make("whole.mkv");
  make("whole.mp4", "-movflags", "+faststart");
  make("fragments.mp4", "-movflags", "+frag_keyframe+empty_moov", "-g", "24");
  make("whole.ts");
  make("whole.avi");
  make("long.mkv");
  make("long.mp4", "-movflags", "+faststart");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a whole film", () => {
  it.each(["whole.mkv", "whole.mp4", "fragments.mp4", "whole.ts", "whole.avi", "long.mkv", "long.mp4"])(
    "%s is one",
    async (name) => {
      expect(await verdict(name)).toBeNull();
    },
  );

  it("tells its streams and how long it is", async () => {
    const { streams, durationMs, format } = await probe.facts(at("whole.mkv"));
    expect(streams.map(({ kind, codec, width }) => [kind, codec, width])).toEqual([
      ["video", "h264", 320],
      ["audio", "aac", null],
    ]);
    expect(Math.round((durationMs ?? 0) / 1_000)).toBe(SECONDS);
    expect(format).toContain("matroska");
  });
});

describe("what is no whole film", () => {
  const cuttable = ["whole.mkv", "whole.mp4", "fragments.mp4", "long.mkv", "long.mp4"];
  it.each(cuttable)("%s without its last part is told by its last packet", async (name) => {
    for (const share of [0.6, 0.9]) {
      cut(name, `cut-${name}`, share);
      expect(await verdict(`cut-${name}`)).toMatch(/ends after|can be read near its end/);
    }
  });

  it("is refused where it has no head, or none that is film", async () => {
    cut("whole.mkv", "empty.mkv", 0);
    make("tail.mp4");
    cut("tail.mp4", "headless.mp4");
    writeFileSync(at("page.mkv"), "<html><body>Please enable cookies</body></html>");
    for (const name of ["empty.mkv", "headless.mp4", "page.mkv", "nothing-there.mkv"])
      await expect(probe.facts(at(name))).rejects.toMatchObject({ kind: "permanent", code: "INVALID_FORMAT" });
  });

  it("opens nothing that a file names: playlists are no film", async () => {
    writeFileSync(
      at("list.mkv"),
      `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${at("whole.ts")}\n#EXT-X-ENDLIST\n`,
    );
    writeFileSync(at("concat.mkv"), `ffconcat version 1.0\nfile '${at("whole.mkv")}'\n`);
    for (const name of ["list.mkv", "concat.mkv"])
      await expect(probe.facts(at(name))).rejects.toMatchObject({ code: "INVALID_FORMAT" });
  });

  it("what nobody knows how to show is told as that, however whole it is", async () => {
    const known = readFileSync(at("whole.avi"));
    expect(known.includes("H264")).toBe(true);
    writeFileSync(at("unknown.avi"), Buffer.from(known.toString("latin1").replaceAll("H264", "ZQZQ"), "latin1"));
    expect(await verdict("unknown.avi")).toBe("its film is in a format that ffmpeg does not know");
  });

  it("sound alone, and a cover beside it, is no film", async () => {
    execFileSync("ffmpeg", [
      "-v",
      "error",
      "-y",
      "-f",
      "lavfi",
      "-i",
      "sine=duration=3",
      "-c:a",
      "aac",
      at("song.mka"),
    ]);
    expect(await verdict("song.mka")).toBe("there is no film in it");
  });
});

it("stops when it is told to", async () => {
  await expect(probe.facts(at("whole.mkv"), AbortSignal.abort())).rejects.toBeDefined();
});
