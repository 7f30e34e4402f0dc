import { describe, expect, it } from "vitest";
import { parseReleaseName } from "./release-name.ts";
import { LONGEST_NAME, readTitle } from "./title-reading.ts";

/** title|year · resolution source codec · group; "-" for what the name does not say. */
function short(name: string, kind: "film" | "tv"): string {
  const { title, year, resolution, source, codec, group } = parseReleaseName(name, kind);
  const made = [resolution, source, codec].map((word) => word ?? "-").join(" ");
  return `${title}|${year ?? "-"} · ${made} · ${group ?? "-"}`;
}

describe("the name of a film", () => {
  it.each([
    ["The.Matrix.1999.1080p.BluRay.x264-GROUP", "The Matrix|1999 · 1080p bluray h264 · GROUP"],
    ["2012.2009.1080p.BluRay.x264-GRP", "2012|2009 · 1080p bluray h264 · GRP"],
    ["1917.2019.2160p.UHD.BluRay.REMUX.HDR.HEVC-EPSiLON", "1917|2019 · 2160p remux h265 · EPSiLON"],
    ["Blade.Runner.2049.2017.1080p.WEB-DL.H.264-FGT", "Blade Runner 2049|2017 · 1080p webdl h264 · FGT"],
    ["2001.A.Space.Odyssey.1968.720p.BluRay.x264-S", "2001 A Space Odyssey|1968 · 720p bluray h264 · S"],
    ["Wonder.Woman.1984.2020.1080p.HMAX.WEB-DL.H264-X", "Wonder Woman 1984|2020 · 1080p webdl h264 · X"],
    ["300.2006.1080p.BluRay.x264", "300|2006 · 1080p bluray h264 · -"],
    ["9.2009.1080p.BluRay", "9|2009 · 1080p bluray - · -"],
    ["Amélie.2001.MULTi.1080p.BluRay.x264-VENUE", "Amélie|2001 · 1080p bluray h264 · VENUE"],
    ["Le_Fabuleux_Destin_2001_720p_BluRay_x264", "Le Fabuleux Destin|2001 · 720p bluray h264 · -"],
    [
      "The Return of the King (2003) Extended (1080p BluRay x265)",
      "The Return of the King|2003 · 1080p bluray h265 · -",
    ],
    ["Spider-Man.No.Way.Home.2021.1080p.AMZN.WEB-DL.H.264-CM", "Spider-Man No Way Home|2021 · 1080p webdl h264 · CM"],
    ["WALL-E.2008.1080p.BluRay.DTS-HD.MA.x264-ESiR", "WALL-E|2008 · 1080p bluray h264 · ESiR"],
    ["Movie.2020.1080p.BluRay.x264.DTS-HD", "Movie|2020 · 1080p bluray h264 · -"],
    ["Real.Steel.2011.1080p.BluRay.x264-G", "Real Steel|2011 · 1080p bluray h264 · G"],
    ["Cam.2018.1080p.WEB.h264-G", "Cam|2018 · 1080p webdl h264 · G"],
    ["The.Special.Relationship.2010.720p.HDTV.x264-G", "The Special Relationship|2010 · 720p tv h264 · G"],
    ["THE.FRENCH.DISPATCH.2021.1080p.WEBRip.x265-G", "THE FRENCH DISPATCH|2021 · 1080p webrip h265 · G"],
    ["Tenet.2020.1080p.HDCAM.x264-SUNSCREEN", "Tenet|2020 · 1080p cam h264 · SUNSCREEN"],
    ["Tenet.2020.HDTS.1080p.WEB.x264", "Tenet|2020 · 1080p telesync h264 · -"],
    ["Avatar.2009.COMPLETE.UHD.BLURAY-UNTOUCHED", "Avatar|2009 · 2160p disc - · UNTOUCHED"],
    ["Film.2019.PAL.DVDR-GRP", "Film|2019 · 480p disc - · GRP"],
    ["Film.1999.DVDRip.XviD-OLD", "Film|1999 · 480p dvd xvid · OLD"],
    ["Film.2024.2160p.WEB-DL.AV1-GRP", "Film|2024 · 2160p webdl av1 · GRP"],
    ["[YTS.MX] Parasite (2019) [1080p] [BluRay] [5.1] [YTS.MX]", "Parasite|2019 · 1080p bluray - · YTS.MX"],
    ["www.Torrents.com - Heat.1995.1080p.BluRay.x264-G", "Heat|1995 · 1080p bluray h264 · G"],
    ["Heat.1995.1080p.BluRay.x264-G[rarbg].mkv", "Heat|1995 · 1080p bluray h264 · G"],
    ["M.A.S.H.1970.720p.BluRay.x264-X", "M A S H|1970 · 720p bluray h264 · X"],
    ["Mission.Impossible.III.2006.720p.BluRay.DTS-X", "Mission Impossible III|2006 · 720p bluray - · -"],
    ["Ёлки.2010.1080p.BluRay.x264-G", "Ёлки|2010 · 1080p bluray h264 · G"],
    ["Матрица / The Matrix (1999) BDRip 1080p", "Матрица|1999 · 1080p bluray - · -"],
    ["千と千尋の神隠し.2001.1080p.BluRay.x265-G", "千と千尋の神隠し|2001 · 1080p bluray h265 · G"],
    ["Some.Film.1080p.BluRay.x264-G", "Some Film|- · 1080p bluray h264 · G"],
    ["Find.it.1080p.BluRay.x264-G", "Find it|- · 1080p bluray h264 · G"],
    ["Film 1080p BluRay 2019", "Film|2019 · 1080p bluray - · -"],
  ])("%s", (name, expected) => expect(short(name, "film")).toBe(expected));
});

describe("the name of a series", () => {
  it.each([
    ["The.Office.US.S03E05.720p.WEB-DL.H.264-NTb", "The Office US|- · 720p webdl h264 · NTb"],
    ["The.Office.(US).S09E06.1080p.BluRay.x265-RARBG", "The Office (US)|- · 1080p bluray h265 · RARBG"],
    ["Doctor.Who.2005.S13E01.1080p.WEB.h264-G", "Doctor Who|2005 · 1080p webdl h264 · G"],
    ["Battlestar_Galactica_(2003)_S01E01_720p", "Battlestar Galactica|2003 · 720p webdl - · -"],
    ["1923.S01E03.1080p.WEB.h264", "1923|- · 1080p webdl h264 · -"],
    ["24.S02E05.720p.HDTV", "24|- · 720p tv - · -"],
    ["The.100.S05E10.720p.HDTV.x264-SVA", "The 100|- · 720p tv h264 · SVA"],
    ["9-1-1.S07E02.1080p.WEB.h264-ETHEL", "9-1-1|- · 1080p webdl h264 · ETHEL"],
    ["Show.S01E01-03.1080p.WEB.h264-GRP", "Show|- · 1080p webdl h264 · GRP"],
    ["Show.S01.COMPLETE.1080p.BluRay.x264-GRP", "Show|- · 1080p bluray h264 · GRP"],
    ["Star.Trek.Deep.Space.Nine.S07E25-E26.What.You.Leave.Behind", "Star Trek Deep Space Nine|- · - - - · -"],
    ["Marvels.Agents.of.S.H.I.E.L.D.S01E01.720p.HDTV", "Marvels Agents of S H I E L D|- · 720p tv - · -"],
    ["Mr.Robot.S01E01.eps1.0_hellofriend.mov.1080p.WEB-DL", "Mr Robot|- · 1080p webdl - · -"],
    ["The.Daily.Show.2024.03.12.720p.WEB.h264-EDITH", "The Daily Show|- · 720p webdl h264 · EDITH"],
    ["[SubsPlease] Sousou no Frieren - 28 (1080p) [8A3B5C2D].mkv", "Sousou no Frieren|- · 1080p webdl - · SubsPlease"],
    ["[Erai-raws] Jujutsu Kaisen 2nd Season - 05 [1080p]", "Jujutsu Kaisen|- · 1080p webdl - · Erai-raws"],
    ["Élite.S01E01.1080p.NF.WEB-DL.DDP5.1.x264-G", "Élite|- · 1080p webdl h264 · G"],
    ["Severance.S02E01.2160p.ATVP.WEB-DL.DV.H.265-FLUX", "Severance|- · 2160p webdl h265 · FLUX"],
    ["S01E01.mkv", "|- · - - - · -"],
  ])("%s", (name, expected) => expect(short(name, "tv")).toBe(expected));
});

describe("the rest of a name", () => {
  const of = (name: string, kind: "film" | "tv" = "film") => parseReleaseName(name, kind);

  it.each([
    ["Film.2020.1080p.WEB.x264", 1, 0, false],
    ["Film.2020.PROPER.1080p", 2, 0, false],
    ["Film.2020.REPACK.1080p", 2, 0, true],
    ["Film.2020.RERIP.1080p", 2, 0, true],
    ["Film.2020.REPACK2.1080p", 3, 0, true],
    ["Film.2020.REAL.PROPER.1080p", 2, 1, false],
    ["Film.2020.1080p.HDR10v2.WEB", 1, 0, false],
    ["A.Proper.Film.2020.1080p", 1, 0, false],
  ])("revision of %s", (name, version, real, isRepack) =>
    expect(of(name).revision).toEqual({ version, real, isRepack }),
  );

  it("revision of an episode, whose own name says nothing of it", () => {
    expect(of("[Group] Show - 28v2 [1080p]", "tv").numbering).toEqual({ kind: "absolute", numbers: [28] });
    expect(of("Show.S01E01.A.Proper.Job.1080p.WEB", "tv").revision.version).toBe(1);
    expect(of("Show.S01E01.A.Job.PROPER.1080p.WEB", "tv").revision.version).toBe(2);
  });

  it.each([
    ["Film.2020.FRENCH.1080p", ["fr"], false],
    ["Film.2020.German.DL.1080p.BluRay", ["de"], true],
    ["Film.2020.iTA.ENG.1080p.WEB-DL", ["en", "it"], false],
    ["Film.2020.MULTi.1080p.WEB-DL", [], true],
    ["Film.2020.1080p.WEB-DL", [], false],
    ["Film.2020.VOSTFR.1080p", [], false],
    ["Film.2020.1080p.ENGLISH.SUBS", [], false],
    ["The.Italian.Job.2003.1080p", [], false],
    ["Film.2020.1080p.no.chi.tel", [], false],
  ])("languages of %s", (name, languages, isMulti) => expect(of(name)).toMatchObject({ languages, isMulti }));

  it("languages of an episode, whose own name is not one", () => {
    expect(of("Show.S06E15.The.French.Mistake.1080p.WEB", "tv").languages).toEqual([]);
    expect(of("Show.S06E15.GERMAN.1080p.WEB", "tv").languages).toEqual(["de"]);
  });

  it("editions, also of high dynamic range", () => {
    expect(of("Se7en.1995.REMASTERED.1080p.BluRay").editions).toEqual(["remastered"]);
    expect(of("1917.2019.2160p.UHD.BluRay.REMUX.HDR.HEVC-G").editions).toEqual(["hdr", "uhd"]);
    expect(of("The.Ultimate.Gift.2006.1080p").editions).toEqual([]);
  });

  it("what is only about the thing", () => {
    expect(of("Show.S01.Extras.1080p.WEB", "tv").isExtra).toBe(true);
    expect(of("Film.2020.Trailer.1080p").isExtra).toBe(true);
    expect(of("Extras.S01E01.720p", "tv").isExtra).toBe(false);
  });

  it("what was guessed", () => {
    expect(of("Film.2020.1080p").doubts).toEqual(["source_guessed"]);
    expect(of("Film.2020.BluRay.x264").doubts).toEqual(["resolution_guessed"]);
    expect(of("Film.2020.1080p.WEB.x264").doubts).toEqual([]);
  });

  it("every way that a title can be read", () => {
    const readings = (name: string, kind: "film" | "tv" = "film") =>
      of(name, kind).readings.map(({ title, year }) => `${title}|${year ?? "-"}`);
    expect(readings("Blade.Runner.2049.1080p")).toEqual(["Blade Runner|2049", "Blade Runner 2049|-"]);
    expect(readings("2012.1080p.BluRay")).toEqual(["2012|-"]);
    expect(readings("Doctor.Who.2005.S01E01", "tv")).toEqual(["Doctor Who|2005", "Doctor Who 2005|-"]);
    expect(readings("Матрица / The Matrix (1999) BDRip")).toEqual(["Матрица|1999", "The Matrix|1999"]);
    expect(readings("Sen.to.Chihiro.AKA.Spirited.Away.2001.1080p")).toContain("Spirited Away|2001");
  });
});

describe("a hostile name", () => {
  it("is read as text, whatever is in it", () => {
    expect(parseReleaseName("../../etc/passwd", "film").title).toBe("/etc/passwd");
    expect(parseReleaseName("Film\0.2020.1080p", "film")).toMatchObject({ title: "Film", year: 2020 });
    expect(parseReleaseName("\u202eFilm.2020.1080p", "film")).toMatchObject({ title: "Film", year: 2020 });
    expect(parseReleaseName("Film\ud800.2020.1080p", "film").year).toBe(2020);
    for (const nothing of ["", " ", "...", "[]", "\0"]) {
      expect(parseReleaseName(nothing, "tv")).toMatchObject({ title: "", doubts: ["no_title"] });
    }
  });

  it("is read up to 400 characters, and no further", () => {
    const of = (length: number) => parseReleaseName(`Film.2020.1080p.${"x".repeat(length - 16)}`, "film");
    expect(of(300)).toMatchObject({ title: "Film", resolution: "1080p" });
    expect(of(LONGEST_NAME).title).toBe("Film");
    expect(of(LONGEST_NAME + 1)).toMatchObject({ title: "", doubts: ["too_long"], readings: [] });
    expect(of(10_000).doubts).toEqual(["too_long"]);
    expect(readTitle(`Show.S01E01.${"x".repeat(LONGEST_NAME)}`, "tv")).toMatchObject({
      readings: [],
      numbering: { kind: "none" },
    });
  });

  // The library's patterns for seasons took 0.5 s for the first of these at 100 characters, and twice that with every three more.
  it("takes no time that grows out of hand", () => {
    const fronts = ["", "A.2000.1080p.", "A.S01E01.1080p.WEB-", "[a] b "];
    const units = [
      "01.",
      "-",
      ".",
      "a.",
      "S01",
      "S01E01",
      "[",
      "(2012",
      "2012 ",
      "e01-",
      "é",
      "Part 1 ",
      "Season 1 ",
      "[a]",
    ];
    const started = process.cpuUsage();
    for (const front of fronts) {
      for (const unit of units) {
        const name = (front + unit.repeat(LONGEST_NAME)).slice(0, LONGEST_NAME);
        parseReleaseName(name, "tv");
        parseReleaseName(name, "film");
      }
    }
    // 112 names: about 3 ms each on the slowest machine so far.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5_000);
  });
});
