import { describe, expect, it } from "vitest";
import { fileKind, isExtra, isNamedSample } from "./file-kinds.ts";

describe("a file of a torrent is", () => {
  it.each([
    ["Film.2020/film.mkv", "video"],
    ["Film.2020/FILM.MP4", "video"],
    ["Film.2020/Subs/film.en.srt", "subtitle"],
    ["Film.2020/film.rar", "archive"],
    ["Film.2020/film.r00", "archive"],
    ["Film.2020/film.part01.rar", "archive"],
    ["Film.2020/film.zip.001", "archive"],
    ["Film.2020/film.iso", "disc"],
    ["Film.2020/BDMV/STREAM/00001.m2ts", "disc"],
    ["Film.2020/VIDEO_TS/VTS_01_1.VOB", "disc"],
    ["Film.2020/film.m3u8", "playlist"],
    ["Film.2020/film.strm", "playlist"],
    ["Film.2020/film.mkv.exe", "executable"],
    ["Film.2020/film.mkv   .scr ", "executable"],
    ["Film.2020/film\u202evkm.exe", "executable"],
    ["Film.2020/film.mkv.lnk", "executable"],
    ["Film.2020/Password.txt", "password"],
    ["Film.2020/how to open.html", "password"],
    ["Film.2020/film.mkv.enc", "password"],
    ["The.Password.2020/the.password.mkv", "video"],
    ["Film.2020/film.nfo", "other"],
    ["Film.2020/film", "other"],
    ["../../etc/passwd", "unsafe"],
    ["/etc/passwd.mkv", "unsafe"],
    ["Film/../../x.mkv", "unsafe"],
    ["Film/./x.mkv", "unsafe"],
    ["Film\\..\\x.mkv", "unsafe"],
    ["Film/nul\0.mkv", "unsafe"],
    ["Film/\ud800.mkv", "unsafe"],
    [`Film/${"x".repeat(300)}.mkv`, "unsafe"],
    ["", "unsafe"],
  ])("%j: %s", (path, kind) => expect(fileKind(path)).toBe(kind));

  it.each(["F/sample.mkv", "F/Sample/f.mkv", "F/film-sample.mkv", "F/Proof/x.mkv"])(
    "a sample by its name: %s",
    (path) => expect(isNamedSample(path)).toBe(true),
  );
  it.each(["F/film.mkv", "F/sampler.mkv", "Sample.2020.mkv/x.mkv"])("no sample by its name: %s", (path) =>
    expect(isNamedSample(path)).toBe(false),
  );

  it.each([
    "F/Extras/making.mkv",
    "F/Featurettes/a.mkv",
    "F/film-trailer.mkv",
    "F/[G] Show - NCOP1 [1080p].mkv",
    "F/Trailer.mp4",
  ])("an extra: %s", (path) => expect(isExtra(path)).toBe(true));
  it.each(["F/film.mkv", "Extras.S01/Extras.S01E01.mkv", "F/The.Trailer.Park.S01E01.mkv", "F/Menus.S01E01.mkv"])(
    "none: %s",
    (path) => expect(isExtra(path)).toBe(false),
  );
});
