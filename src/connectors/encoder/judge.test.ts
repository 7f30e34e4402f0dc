import { describe, expect, it } from "vitest";
import { audio, cover, factsOf, subtitle, video } from "../../../test/support/film-facts.ts";
import { type FfmpegEnd, ffmpegFailure } from "./exits.ts";
import { outputProblem, sourceProblem } from "./judge.ts";
import { encodingProfile } from "./profile.ts";
import { keptStreams } from "./streams.ts";

const FILM = [video(), audio()];

describe("a source", () => {
  it.each([
    ["whole", factsOf(FILM), null],
    ["that does not say how long it is", factsOf(FILM, { durationMs: null }), null],
    ["cut", factsOf(FILM, { lastPacketMs: 36_000 }), "INVALID_FORMAT"],
    ["without an end that can be read", factsOf(FILM, { lastPacketMs: null }), "INVALID_FORMAT"],
    ["of sound and a cover", factsOf([audio(), cover]), "INVALID_FORMAT"],
    ["in an unknown codec", factsOf([video("unknown")]), "UNSUPPORTED_CODEC"],
  ] as const)("%s", (_, facts, code) => {
    expect(sourceProblem(facts)?.code ?? null).toBe(code);
  });

  it("that is cut is told by how much", () => {
    expect(sourceProblem(factsOf(FILM, { lastPacketMs: 36_000 }))?.message).toBe(
      "it says it lasts 1:00 min, and ends after 0:36 min",
    );
  });
});

describe("what came of it", () => {
  const profile = encodingProfile.parse({ name: "small", codec: "hevc" });
  const source = factsOf([video("h264"), audio("ac3"), cover]);
  const made = [video("hevc"), audio("ac3")];
  it.each([
    ["is good", factsOf(made), null],
    ["is a little shorter", factsOf(made, { lastPacketMs: 58_100, durationMs: 58_200 }), null],
    ["ends too early", factsOf(made, { lastPacketMs: 57_900 }), /ends after 0:58 min, and its source after 1:00/],
    ["ends too late", factsOf(made, { lastPacketMs: 62_100 }), /ends after 1:02/],
    ["has no end", factsOf(made, { lastPacketMs: null }), /can be read near its end/],
    ["says it is shorter", factsOf(made, { durationMs: 30_000 }), /says it lasts 0:30/],
    ["says it is longer", factsOf(made, { durationMs: 90_000 }), /says it lasts 1:30/],
    ["says nothing", factsOf(made, { durationMs: null }), /lasts nothing/],
    ["is in another codec", factsOf([video("h264"), audio("ac3")]), /has video h264, audio ac3 where video hevc/],
    ["has lost its sound", factsOf([video("hevc")]), /has video hevc where video hevc, audio ac3 was asked for/],
    ["has a stream too many", factsOf([...made, subtitle()]), /subtitle subrip where/],
    ["has nothing", factsOf([]), /has nothing where/],
  ])("%s", (_, output, expected) => {
    const problem = outputProblem(output, source, keptStreams(profile, source));
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });

  it("is held against where its source really ends, and of a long film by its hundredth", () => {
    const long = { durationMs: 7_200_000, lastPacketMs: 7_150_000 };
    const judged = (lastPacketMs: number) =>
      outputProblem(
        factsOf(made, { durationMs: 7_150_000, lastPacketMs }),
        factsOf(source.streams, long),
        keptStreams(profile, source),
      );
    expect([judged(7_100_000), judged(7_221_000)]).toEqual([null, null]);
    expect(judged(7_070_000)).not.toBeNull();
  });
});

describe("how ffmpeg ended", () => {
  const good: FfmpegEnd = {
    code: 0,
    signal: null,
    limit: null,
    isDiskFull: false,
    isSourceThere: true,
    canDecode: null,
  };
  const killed = { code: null, signal: "SIGKILL" };
  it.each([
    ["well", {}, null],
    ["well, on a disk that is full by now", { isDiskFull: true }, null],
    ["killed, or out of memory", killed, "transient KILLED"],
    ["killed for its time", { ...killed, limit: "wall" }, "transient TIMEOUT"],
    ["killed for its size", { ...killed, limit: "output" }, "permanent OUTPUT_TOO_LARGE"],
    ["crashed", { code: null, signal: "SIGSEGV" }, "transient CRASHED"],
    ["told to stop", { code: 255 }, "unavailable INTERRUPTED"],
    ["told to stop by the system", { code: null, signal: "SIGTERM" }, "unavailable INTERRUPTED"],
    ["not run at all", { code: 127 }, "unavailable PROGRAM_MISSING"],
    ["on a full disk", { code: 1, isDiskFull: true, canDecode: false }, "unavailable DISK_FULL"],
    ["on a full disk, as newer versions say", { code: 228 }, "unavailable DISK_FULL"],
    ["without its source", { code: 1, isSourceThere: false }, "permanent FILE_NOT_FOUND"],
    ["not able to decode it", { code: 1, canDecode: false }, "permanent UNSUPPORTED_CODEC"],
    ["not able to decode it, as newer versions say", { code: 8, canDecode: true }, "permanent UNSUPPORTED_CODEC"],
    ["with most of it broken", { code: 69, canDecode: true }, "permanent INVALID_FORMAT"],
    ["with invalid data, as newer versions say", { code: 183, canDecode: true }, "permanent INVALID_FORMAT"],
    ["for a reason of its own", { code: 1, canDecode: true }, "transient EXIT_1"],
  ] as const)("%s", (_, end, expected) => {
    const failure = ffmpegFailure({ ...good, ...end });
    expect(failure && `${failure.kind} ${failure.code}`).toBe(expected);
  });
});
