import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episode, film, found, GB, GOOD, order, ranking } from "../../../../test/support/releases.ts";
import type { QualityProfileInput } from "./quality-profile.ts";
import type { FoundRelease, Wanted } from "./wanted.ts";

/** Each list as it has to come out; it goes in backwards. */
const comesOut = (wanted: Wanted, releases: FoundRelease[], profile?: QualityProfileInput) =>
  expect(order(wanted, [...releases].reverse(), profile)).toEqual(releases.map(({ title }) => title));

describe("what is tried first", () => {
  it("is the better quality, whatever else speaks for another", () =>
    comesOut(film, [
      found("Matrix.1999.1080p.BluRay.x264-A", { seeders: 1, indexerPriority: 50 }),
      found("Matrix.1999.1080p.WEB-DL.x265.PROPER-B", { seeders: 9_000 }),
      found("Matrix.1999.720p.BluRay.x265-C", { seeders: 90_000, indexerPriority: 1 }),
    ]));

  it("is then the repaired one, unless nobody prefers that", () => {
    const proper = found("Matrix.1999.PROPER.1080p.BluRay.x264-A");
    const real = found("Matrix.1999.REAL.PROPER.1080p.BluRay.x264-B");
    const first = found("Matrix.1999.1080p.BluRay.x265-C");
    comesOut(film, [real, proper, first]);
    comesOut(film, [first, proper, real], { preferPropers: false });
  });

  it("is then the codec, then the indexer, then ten times the seeders, then the size", () =>
    comesOut(film, [
      found("Matrix.1999.1080p.BluRay.x265-A", { indexerPriority: 40 }),
      found("Matrix.1999.1080p.BluRay.x264-B", { indexerPriority: 1, seeders: 1 }),
      found("Matrix.1999.1080p.BluRay.x264-C", { seeders: 2_000, bytes: 20 * GB }),
      found("Matrix.1999.1080p.BluRay.x264-D", { seeders: 11, bytes: 5.4 * GB }),
      found("Matrix.1999.1080p.BluRay.x264-E", { seeders: 19, bytes: 9 * GB }),
      found("Matrix.1999.1080p.BluRay-F", { seeders: 9_999 }),
    ]));

  it("is the whole season where several of it are wanted, and the least that holds the one if not", () => {
    const single = found("The.Office.S03E05.1080p.WEB.x264-A");
    const double = found("The.Office.S03E05E06.1080p.WEB.x264-A", { bytes: 2 * GB });
    const whole = found("The.Office.S03.1080p.WEB.x264-A", { bytes: 25 * GB });
    const all = found("The.Office.S01-S09.1080p.WEB.x264-A", { bytes: 200 * GB });
    comesOut(episode, [single, double, whole, all]);
    comesOut({ ...episode, wantedOfSeason: 2 }, [whole, all, double, single]);
  });

  it("is the same for equals, in whatever order they were found", () => {
    const equals = ["b", "a", "d", "c"].map((guid) => found(`Matrix.1999.1080p.BluRay.x264-${guid}`, { guid }));
    const guids = (list: FoundRelease[]) => ranking(film, list).ranked.map((each) => each.found.guid);
    expect(guids(equals)).toEqual(["a", "b", "c", "d"]);
    expect(guids([...equals].reverse())).toEqual(["a", "b", "c", "d"]);
  });
});

it("puts a number that is none where nothing speaks for it", () =>
  comesOut(film, [
    found("Matrix.1999.1080p.BluRay.x264-A", { guid: "z", seeders: 200 }),
    found("Matrix.1999.1080p.BluRay.x264-C", { guid: "y", indexerPriority: 50, seeders: 200 }),
    found("Matrix.1999.1080p.BluRay.x264-D", { guid: "b", indexerPriority: Number.NaN }),
  ]));

describe("duplicates", () => {
  const hash = "ab".repeat(20);
  it("of a hash are one, at the better indexer, and the others another way to it", () => {
    const better = found(GOOD, { infohash: hash, indexer: "two", indexerPriority: 1 });
    const other = found("The Matrix (1999) 1080p BluRay x264", { infohash: hash.toUpperCase() });
    const { ranked, rejected } = ranking(film, [other, better]);
    expect(ranked).toMatchObject([{ found: better, copies: [other] }]);
    expect(rejected).toMatchObject([{ found: other, rejections: [{ code: "duplicate" }] }]);
    expect(rejected[0]?.rejections[0]?.reason).toBe("the same as one of two, which is tried first");
  });

  it("are of one name and size, unless their hashes say that they are two", () => {
    const same = "The Matrix 1999 1080p BluRay x264-G";
    expect(order(film, [found(GOOD), found(same)])).toHaveLength(1);
    expect(order(film, [found(GOOD, { infohash: hash }), found(same)])).toHaveLength(1);
    expect(order(film, [found(GOOD), found(same, { bytes: 7 * GB })])).toHaveLength(2);
    expect(order(film, [found(GOOD, { infohash: hash }), found(same, { infohash: "cd".repeat(20) })])).toHaveLength(2);
  });
});

it("tells of everything that was found exactly once, in an order that does not depend on theirs", () => {
  const titles = [GOOD, "Matrix.1999.720p.WEB.x265-A", "Matrix.1999.PROPER.1080p.WEB.x264-B", "Heat.1995.1080p", "x"];
  const release = fc.record({
    title: fc.oneof(fc.constantFrom(...titles), fc.string({ unit: "binary", maxLength: 40 })),
    guid: fc.uuid(),
    indexer: fc.constantFrom("one", "two"),
    indexerPriority: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(Number.NaN)),
    bytes: fc.oneof(fc.integer({ min: -1, max: 50 * GB }), fc.constant(6 * GB)),
    seeders: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constant(Number.NaN)),
    categories: fc.constant([2000]),
  });
  fc.assert(
    fc.property(fc.uniqueArray(release, { maxLength: 12, selector: ({ guid }) => guid }), (releases) => {
      const one = ranking(film, releases);
      const told = [...one.ranked.map(({ found }) => found.guid), ...one.rejected.map(({ found }) => found.guid)];
      expect(told.sort()).toEqual(releases.map(({ guid }) => guid).sort());
      expect(one.rejected.every(({ rejections }) => rejections.length > 0)).toBe(true);
      const shape = ({ ranked }: typeof one) => ranked.map(({ found }) => found.guid);
      expect(shape(ranking(film, [...releases].reverse()))).toEqual(shape(one));
    }),
    { numRuns: 60 },
  );
});
