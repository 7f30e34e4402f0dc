import { describe, expect, it } from "vitest";
import type { Facts } from "./facts.ts";
import { notPassed } from "./named-tests.ts";
import { readOptions } from "./options.ts";
import { fillIn, isKept, rowsIn, tables } from "./page.ts";
import { CHAPTERS, PROMISES, type Promised } from "./promises.ts";

const good: Facts = {
  requests: {
    ...{ requests: 301, fulfilled: 299, unknown: 1, films: 320, completed: 318, troubles: 400, recovered: 398 },
    ...{ stalls: 12, stuck: 0, longestMs: 90_000, quietMs: 20_000, outages: 60, outagesMs: 300_000, meanwhile: 200 },
    ...{ attempts: 8, attemptsInVain: 0, kills: { worker: 5, client: 4, encoders: 7 }, hands: 0, wrong: 0, halves: 0 },
    ...{ orphans: 0, rules: 0, transitions: { recorded: 9_000, events: 9_000, lines: 9_000 } },
    ...{ wallMs: 150_000, ownMs: 100_000, findings: [] },
  },
  chaos: { items: 3_000, kills: 12, databaseCrashes: 2, lost: 0, twice: 0, findings: [] },
  upload: { megabytes: 500, sentAgain: 400_000, isSame: true },
  loops: { files: 300, inWork: 0, elsewhere: 16 },
  notPassed: [],
};
const promised = (name: string): Promised => PROMISES.find((one) => one.name === name) ?? expect.fail(name);
const requests = (change: Partial<Facts["requests"]>): Facts => ({
  ...good,
  requests: { ...good.requests, ...change },
});

describe("a promise", () => {
  it("is kept in a good run, each of them", () => {
    expect(PROMISES.filter((one) => !isKept(one, good)).map(({ name }) => name)).toEqual([]);
  });

  it.each<[string, Facts, readonly string[]]>([
    ["one that is stuck", requests({ stuck: 1 }), ["Nothing is stuck"]],
    ["no stall, which proves nothing", requests({ stalls: 0 }), ["Nothing is stuck"]],
    ["a hand", requests({ hands: 1 }), ["Nobody repairs", "Recovery"]],
    ["an orphan", requests({ orphans: 1 }), ["Nobody repairs"]],
    ["a loop", { ...good, loops: { ...good.loops, inWork: 1 } }, ["No loop waits"]],
    ["an attempt spent on an outage", requests({ attemptsInVain: 1 }), ["An outage is waited for"]],
    [
      "too much sent again",
      { ...good, upload: { ...good.upload, sentAgain: 1_000_001 } },
      ["What is half done is gone on with"],
    ],
    [
      "four of 300 that are not there",
      requests({ fulfilled: 296 }),
      ["A crash costs nothing", "Reliability", "Nothing is lost"],
    ],
    ["more than a twentieth not got over", requests({ recovered: 379 }), ["Recovery"]],
    ["a line too few", requests({ transitions: { recorded: 9_000, events: 9_000, lines: 8_999 } }), ["Observability"]],
    ["more than twice the time", requests({ wallMs: 200_001 }), ["Performance"]],
    ["half a file", requests({ halves: 1 }), ["Nothing is lost"]],
    [
      "an item that is lost",
      { ...good, chaos: { ...good.chaos, lost: 1, findings: ["lost: itm_1"] } },
      ["A crash costs nothing", "Nothing is lost"],
    ],
    [
      "a test that did not pass",
      { ...good, notPassed: [promised("Observability").tests[0] ?? expect.fail("it names one")] },
      ["Observability"],
    ],
  ])("is not kept with %s", (_, facts, broken) => {
    expect(PROMISES.filter((one) => !isKept(one, facts)).map(({ name }) => name)).toEqual(broken);
  });
});

describe("the page", () => {
  const page = fillIn(
    "a\n<!-- begin promises -->\nas it was\n<!-- end promises -->\nz\n",
    tables(CHAPTERS, good, "about"),
  );

  it("has a row for each, with its verdict, between its marks", () => {
    expect([...rowsIn(page)]).toEqual(PROMISES.map(({ name }) => [name, "met"]));
    expect(page.startsWith("a\n")).toBe(true);
    expect(page.endsWith("\nabout\n\n<!-- end promises -->\nz\n")).toBe(true);
    expect(page).not.toContain("as it was");
    expect(() => fillIn("no marks", "x")).toThrow("marks");
  });

  it("says what is not met, and which test did not pass", () => {
    const [test] = promised("Observability").tests;
    const facts = { ...good, notPassed: test === undefined ? [] : [test] };
    const bad = tables(CHAPTERS, facts, "about");
    expect(rowsIn(bad).get("Observability")).toBe("**not met**");
    expect(bad).toContain(`**did not pass:** \`${test?.file}\``);
  });
});

it("a test has passed when it was there and never failed", () => {
  const [one, none, twice] = ["one", "none", "twice"].map((title) => ({ file: "test/a.test.ts", title }));
  if (one === undefined || none === undefined || twice === undefined) throw new Error("three");
  const result = (fullName: string, status: string) => ({ fullName, status });
  const ran = [result("of a one", "passed"), result("twice 1", "passed"), result("twice 2", "failed")];
  const testResults = [{ name: "/x/test/a.test.ts", assertionResults: ran }];
  expect(notPassed([one, none, twice], { testResults })).toEqual([none, twice]);
});

it("options that make no sense are told", () => {
  expect(readOptions([], 7)).toMatchObject({ requests: 300, seconds: 360, seed: 7, writes: false });
  expect(readOptions(["--write", "--requests", "100"], 7)).toMatchObject({ requests: 100, writes: true });
  expect(readOptions(["--write", "--quick"], 7)).toMatchObject({ requests: 30, seconds: 30, writes: false });
  for (const args of [["--requests", "5"], ["--seconds", "x"], ["--seed", "-1"], ["--what"]])
    expect(readOptions(args, 7)).toContain("usage:");
});
