import { describe, expect, it } from "vitest";
import { agentName } from "./agent.ts";
import { ago, bytes, day, length, rate } from "./format.ts";

const now = Date.UTC(2026, 10, 16, 12);
const earlier = (ms: number) => new Date(now - ms).toISOString();

describe("how long", () => {
  it.each([
    [0, "0 ms"],
    [380, "380 ms"],
    [41_000, "41 s"],
    [60_000, "1 min"],
    [4_800_000, "1 h 20 min"],
    [86_400_000 * 3 + 3_600_000, "3 d 1 h"],
  ])("%i ms is %s", (ms, text) => expect(length(ms)).toBe(text));
});

describe("when", () => {
  it("is told in the largest whole unit", () => {
    expect(ago(earlier(90_000), now)).toBe("1 minute ago");
    expect(ago(earlier(-7_200_000), now)).toBe("in 2 hours");
    expect(ago(earlier(200), now)).toBe("now");
  });
});

describe("a share", () => {
  it.each([
    [0, "0 %"],
    [0.0004, "< 0.1 %"],
    [0.009, "0.9 %"],
    [0.0333, "3.3 %"],
    [0.126, "13 %"],
    [1, "100 %"],
  ])("of %d is %s", (share, text) => expect(rate(share)).toBe(text));
});

describe("a day without an hour", () => {
  const NOVEMBER = new Date(2026, 10, 16).getTime();
  it.each([
    ["2026-11-21", "21 Nov"],
    ["2027-01-01", "1 Jan 2027"],
    ["some day", "some day"],
  ])("%s is %s", (of, text) => expect(day(of, NOVEMBER)).toBe(text));
});

describe("how much", () => {
  it.each([
    [0, "0 B"],
    [1_023, "1023 B"],
    [1_536, "1.5 KiB"],
    [12_884_901_888, "12.0 GiB"],
  ])("%i is %s", (size, text) => expect(bytes(size)).toBe(text));
});

describe("a browser", () => {
  it("is told by two words, and one nobody knows by its own", () => {
    expect(agentName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36")).toBe(
      "Chrome, Linux",
    );
    expect(agentName("curl/8")).toBe("curl/8");
  });
});
