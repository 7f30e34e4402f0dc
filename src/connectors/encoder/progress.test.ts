import { describe, expect, it } from "vitest";
import { hasMoved, readProgress } from "./progress.ts";

const WHOLE = { durationMs: 40_000, frameRate: 25 };
const block = (values: Record<string, string>, end = "continue") =>
  `${Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join("")}progress=${end}\n`;
const FIRST = block({
  ...{ frame: "10", fps: "0.00", stream_0_0_q: "0.0", bitrate: "N/A", total_size: "0" },
  ...{ out_time_us: "N/A", out_time_ms: "N/A", out_time: "N/A", dup_frames: "0", drop_frames: "0", speed: "   0x" },
});
const SECOND = block({
  ...{ frame: "250", fps: " 48.5", stream_0_0_q: "28.0", bitrate: "  51.1kbits/s", total_size: "65536" },
  ...{ out_time_us: "10000000", out_time_ms: "10000000", out_time: "00:00:10.000000", speed: "   2x" },
});

describe("what ffmpeg writes of its progress", () => {
  it("is read from the last whole block", () => {
    expect(readProgress(FIRST + SECOND, WHOLE)).toEqual({
      ...{ frame: 250, fps: 48.5, outTimeMs: 10_000, totalBytes: 65_536, speed: 2, percent: 25, etaMs: 15_000 },
    });
  });

  it("is nothing before the first block is whole", () => {
    for (const text of ["", "frame=1\n", FIRST.slice(0, FIRST.indexOf("progress=") - 1)])
      expect(readProgress(text, WHOLE)).toBeNull();
  });

  it("may begin and end anywhere", () => {
    for (let cut = 0; cut < FIRST.length; cut += 1) {
      expect(readProgress(FIRST.slice(cut) + SECOND, WHOLE)?.frame).toBe(250);
      expect(readProgress(SECOND + FIRST.slice(0, cut), WHOLE)?.outTimeMs).toBeOneOf([10_000, 0]);
    }
    expect(readProgress(SECOND + FIRST.slice(0, 30), WHOLE)?.frame).toBe(250);
  });

  it("tells how far by its frames as long as it tells no time", () => {
    expect(readProgress(FIRST, WHOLE)).toMatchObject({ outTimeMs: 0, percent: 1, speed: null, etaMs: null, fps: null });
  });

  it("takes the time for what it is, whatever it is called", () => {
    expect(readProgress(block({ frame: "1", out_time_ms: "4000000" }), WHOLE)?.outTimeMs).toBe(4_000);
  });

  it.each([
    ["below nothing", { frame: "-5", out_time_us: "-9223372036854775808", total_size: "-1" }],
    ["no number", { frame: "NaN", out_time_us: "Infinity", total_size: "lots" }],
    ["empty", { frame: "", out_time_us: "", total_size: "" }],
  ])("is nothing where it is %s", (_, values) => {
    expect(readProgress(block(values), WHOLE)).toMatchObject({ frame: 0, outTimeMs: 0, totalBytes: 0, percent: 0 });
  });

  it("is never more than all of it, and no share of what nobody knows", () => {
    expect(readProgress(block({ out_time_us: "99000000", speed: "1x" }), WHOLE)).toMatchObject({
      percent: 100,
      etaMs: 0,
    });
    expect(readProgress(SECOND, { durationMs: null })).toMatchObject({ percent: null, etaMs: null });
  });
});

describe("activity", () => {
  const before = { frame: 10, outTimeMs: 1_000, totalBytes: 5_000 };
  it.each([
    ["frames", { ...before, frame: 11 }, true],
    ["time", { ...before, outTimeMs: 1_001 }, true],
    ["bytes", { ...before, totalBytes: 5_001 }, true],
    ["bytes, while the time fell", { ...before, outTimeMs: 0, totalBytes: 5_001 }, true],
    ["nothing", before, false],
    ["less of everything", { frame: 1, outTimeMs: 1, totalBytes: 1 }, false],
    ["nothing that can be read", null, false],
  ])("is %s", (_, now, expected) => {
    expect(hasMoved(before, now)).toBe(expected);
  });

  it("begins with the first of anything", () => {
    expect(hasMoved(null, { frame: 0, outTimeMs: 0, totalBytes: 1 })).toBe(true);
    expect(hasMoved(null, { frame: 0, outTimeMs: 0, totalBytes: 0 })).toBe(false);
  });
});
