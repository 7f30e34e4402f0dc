import { describe, expect, test } from "vitest";
import { HiddenKey } from "./hidden-key.ts";
import { readCaps } from "./read-caps.ts";
import { readFeed } from "./read-items.ts";
import { parseXml } from "./xml.ts";

const KEY = "s3cret-key";
const HASH = "0123456789abcdef0123456789abcdef01234567";

function feed(items: string) {
  const parsed = parseXml(Buffer.from(`<rss><channel><title>x</title>${items}</channel></rss>`));
  const element = "root" in parsed ? parsed.element : expect.fail(parsed.problem);
  return readFeed(element, { url: "http://prowlarr:9696/1/api", indexer: "here", key: new HiddenKey(KEY) });
}
const attr = (name: string, value: string | number) => `<torznab:attr name="${name}" value="${value}"/>`;
const item = (inside: string) =>
  `<item><title>A</title><guid>g</guid><link>http://prowlarr:9696/1/download?a=1</link>${inside}</item>`;
const one = (inside: string) => feed(item(inside)).releases[0] ?? expect.fail("no release");

describe("a release", () => {
  test("of Prowlarr, without our key in it", () => {
    const [release] = feed(`<item>
      <title>Metropolis.1927.1080p</title>
      <guid>http://prowlarr:9696/1/download?apikey=${KEY}&amp;link=abc</guid>
      <prowlarrindexer id="1" type="private">Best Tracker</prowlarrindexer>
      <comments>https://tracker.example/t/1</comments>
      <pubDate>Sun, 01 Mar 2026 08:00:00 -0400</pubDate>
      <size>1000</size>
      <link>http://prowlarr:9696/1/download?apikey=${KEY}&amp;link=abc&amp;file=Metropolis</link>
      <category>2000</category><category>2040</category>
      <enclosure url="http://prowlarr:9696/1/download?apikey=${KEY}&amp;link=abc&amp;file=Metropolis" length="1000" type="application/x-bittorrent"/>
      ${attr("category", 2000)}${attr("category", 2040)}${attr("imdb", "0017136")}${attr("seeders", 5)}${attr("peers", 8)}
      ${attr("InfoHash", HASH.toUpperCase())}${attr("magneturl", `http://prowlarr:9696/1/download?apikey=${KEY}&amp;link=mag`)}
      ${attr("downloadvolumefactor", "0")}${attr("minimumratio", "1.1")}${attr("minimumseedtime", 3600)}</item>`).releases;
    expect(JSON.stringify(release)).not.toContain(KEY);
    expect(release).toEqual({
      title: "Metropolis.1927.1080p",
      guid: "http://prowlarr:9696/1/download?apikey={apikey}&link=abc",
      indexer: "Best Tracker",
      protocol: "torrent",
      bytes: 1000,
      infohash: HASH,
      magnet: null,
      downloadUrl: "http://prowlarr:9696/1/download?apikey={apikey}&link=abc&file=Metropolis",
      infoUrl: "https://tracker.example/t/1",
      seeders: 5,
      leechers: 3,
      grabs: null,
      categories: [2000, 2040],
      imdbId: "tt0017136",
      tmdbId: null,
      tvdbId: null,
      published: "2026-03-01T12:00:00.000Z",
      minimumRatio: 1.1,
      minimumSeedMs: 3_600_000,
      isFreeleech: true,
    });
  });

  test("may have its magnet where a link is meant to be", () => {
    const magnet = `magnet:?xt=urn:btih:${HASH}&amp;tr=udp%3A%2F%2Ft`;
    const [release] = feed(
      `<item><title>A</title><guid>g</guid><link>${magnet}</link><enclosure url="${magnet}" type="application/x-bittorrent"/></item>`,
    ).releases;
    expect(release).toMatchObject({
      downloadUrl: null,
      infohash: HASH,
      magnet: `magnet:?xt=urn:btih:${HASH}&tr=udp%3A%2F%2Ft`,
    });
  });

  test("has the infohash of its magnet, whatever else is said", () => {
    const other = "f".repeat(40);
    expect(one(attr("infohash", other) + attr("magneturl", `magnet:?xt=urn:btih:${HASH}`)).infohash).toBe(HASH);
    expect(one(attr("infohash", "not a hash")).infohash).toBeNull();
  });

  test("for Usenet says so", () => {
    const nzb = `<enclosure url="https://nzb.example/get/1" length="7" type="application/x-nzb"/><newznab:attr name="grabs" value="3"/>`;
    expect(one(nzb)).toMatchObject({
      protocol: "usenet",
      bytes: 7,
      grabs: 3,
      downloadUrl: "https://nzb.example/get/1",
    });
  });

  test("may have a link that begins where it came from", () => {
    expect(feed("<item><title>A</title><link>/dl/1</link></item>").releases[0]).toMatchObject({
      downloadUrl: "http://prowlarr:9696/dl/1",
      guid: "http://prowlarr:9696/dl/1",
      indexer: "here",
    });
  });
});

describe("what makes no sense is not known", () => {
  test.each<[string, string, object]>([
    ["a negative size", "<size>-5</size>", { bytes: null }],
    ["a size of 0", "<size>0</size>", { bytes: null }],
    ["a size beyond all sizes", `<size>${"9".repeat(30)}</size>`, { bytes: null }],
    ["a size in words", "<size>1.4 GB</size>", { bytes: null }],
    ["an odd size, and a good one", `<size>-5</size><enclosure url="/x" length="9" type="y"/>`, { bytes: 9 }],
    ["negative seeders", attr("seeders", -1) + attr("peers", 4), { seeders: null, leechers: null }],
    ["fewer peers than seeders", attr("seeders", 9) + attr("peers", 4), { seeders: 9, leechers: null }],
    ["NaN", attr("minimumratio", "NaN") + attr("grabs", "NaN"), { minimumRatio: null, grabs: null }],
    ["a seed time of ages", attr("minimumseedtime", "9".repeat(15)), { minimumSeedMs: null }],
    ["IMDb's number zero", attr("imdb", "0000000"), { imdbId: null }],
    ["an id with letters", attr("imdbid", "tt12x") + attr("tmdbid", "abc"), { imdbId: null, tmdbId: null }],
    ["a date that is none", "<pubDate>yesterday</pubDate>", { published: null }],
    ["a number for a date", "<pubDate>12345</pubDate>", { published: null }],
    ["categories that are words", "<category>Movies</category><category>-1</category>", { categories: [] }],
  ])("%s", (_, inside, expected) => {
    expect(one(inside)).toMatchObject(expected);
  });

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://user:word@tracker.example/x",
    "magnet:?xt=urn:btih:tooshort",
    "magnet:?xt=urn:btmh:1220caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa9f6105232b28ad099f3a302e",
  ])("a link such as %s", (link) => {
    expect(feed(`<item><title>A</title><guid>g</guid><link>${link}</link></item>`)).toMatchObject({
      releases: [],
      entries: 1,
    });
  });

  test("an entry without a title, and costs no other", () => {
    const { releases, entries } = feed(
      `<item><link>http://x/1</link></item><item><title> \u202e </title><link>http://x/1</link></item>${item("")}`,
    );
    expect([releases.length, entries]).toEqual([1, 3]);
  });
});

describe("a title", () => {
  const titleOf = (title: string) =>
    feed(`<item><title>${title}</title><link>http://x/1</link></item>`).releases[0]?.title;

  test.each([
    ["NUL\0inside", "NUL inside"],
    ["&#0;zero", "zero"],
    ["turned\u202egpj.exe", "turned gpj.exe"],
    ["\u001b[2Jcleared", "[2Jcleared"],
    ["two\nlines", "two lines"],
    ["half a pair &#xD800;", "half a pair \ufffd"],
    ["Tom &amp; Jerry", "Tom & Jerry"],
  ])("%j is stored as %j", (title, expected) => {
    expect(titleOf(title)).toBe(expected);
  });

  test("is cut after 500 characters", () => {
    expect(titleOf("🎞".repeat(1_000))?.length).toBe(500);
  });
});

test("ten thousand entries are read", () => {
  const { releases, entries } = feed(item(attr("seeders", 1)).repeat(10_000));
  expect([releases.length, entries]).toEqual([10_000, 10_000]);
});

test("a release of a hundred thousand attributes costs no more than they do", () => {
  expect(one(attr("tag", "internal").repeat(100_000) + attr("tag", "freeleech")).isFreeleech).toBe(true);
});

describe("caps", () => {
  const caps = (inside: string) => {
    const parsed = parseXml(Buffer.from(`<caps>${inside}</caps>`));
    return readCaps("root" in parsed ? parsed.element : expect.fail(parsed.problem));
  };

  test("of Prowlarr", () => {
    expect(
      caps(`<server title="Prowlarr"/><limits max="50" default="50"/><searching><search available="yes" supportedParams="q" searchEngine="raw"/>
        <tv-search available="yes" supportedParams="q, Season,ep,tvdbid"/><movie-search available="no" supportedParams="q"/></searching>
        <categories><category id="2000" name="Movies"><subcat id="2040" name="Movies/HD"/></category><category id="x" name="?"/></categories>`),
    ).toEqual({
      title: "Prowlarr",
      pageSize: 50,
      search: { parameters: ["q"], isRaw: true },
      film: null,
      tv: { parameters: ["q", "season", "ep", "tvdbid"], isRaw: false },
      categories: [
        { id: 2000, name: "Movies" },
        { id: 2040, name: "Movies/HD" },
      ],
    });
  });

  test.each([
    ["", 100],
    [`<limits max="0"/>`, 100],
    [`<limits max="-3"/>`, 100],
    [`<limits max="100000"/>`, 100],
    [`<limits max="7"/>`, 7],
  ])("%s means %i at once", (limits, expected) => {
    expect(caps(limits).pageSize).toBe(expected);
  });

  test("that say nothing allow a search for text", () => {
    expect(caps("")).toMatchObject({ search: { parameters: ["q"] }, film: null, tv: null });
  });
});
