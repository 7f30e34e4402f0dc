import { describe, expect, test } from "vitest";
import { checkSettings, isRule, RULE_NAMES, settingName, settingOf, settingsOf } from "./rule.ts";

describe("rules", () => {
  test("are all on by default, with values inside their own bounds", () => {
    const all = settingsOf(new Map());
    for (const rule of RULE_NAMES) {
      expect(all[rule]).toMatchObject({ on: true, channels: null, stages: {} });
      expect(checkSettings(rule, all[rule])).toEqual(all[rule]);
    }
    expect(RULE_NAMES).toHaveLength(12);
  });

  test("have the thresholds that people were told of", () => {
    const all = settingsOf(new Map());
    expect(all.stuck.values).toEqual({ forSeconds: 3_600 });
    expect(all["error-rate"].values).toEqual({ abovePercent: 10, samples: 10 });
    expect(all.idle.values).toEqual({ forSeconds: 300 });
    expect(settingOf(all.backlog, "above")).toBe(50);
    expect(all["worker-offline"].values).toEqual({ forSeconds: 300 });
    expect(all["service-down"].values).toEqual({ forSeconds: 120 });
    expect(all["disk-low"].values).toEqual({ belowPercent: 5, belowBytes: 2 * 1024 ** 3 });
  });

  test("keep what is given and fill in the rest", () => {
    const given = { values: { above: 200 }, stages: { "films/encode": 5 }, channels: ["3"] };
    expect(checkSettings("backlog", given)).toEqual({ on: true, ...given, values: { above: 200, forSeconds: 300 } });
  });

  test.each<[string, () => unknown, RegExp]>([
    ["a value below", () => checkSettings("stuck", { values: { forSeconds: 60 } }), /from 3600 to 2592000 \(s\)/],
    ["a value above", () => checkSettings("error-rate", { values: { abovePercent: 100 } }), /from 0 to 99 \(%\)/],
    ["no number", () => checkSettings("backlog", { values: { above: Number.NaN } }), /from 1 to 10000/],
    ["half an item", () => checkSettings("backlog", { values: { above: 1.5 } }), /whole number/],
    ["a name it has not", () => checkSettings("idle", { values: { above: 1 } }), /has no "above"; it has forSeconds/],
    ["anything", () => checkSettings("unknown-reason", { values: { x: 1 } }), /it has nothing to set/],
    ["a name all objects have", () => checkSettings("idle", { values: { constructor: 1 } }), /has no "constructor"/],
    [
      "stages where there are none",
      () => checkSettings("idle", { stages: { "a/b": 1 } }),
      /no values for single stages/,
    ],
    ["a stage without a pipeline", () => checkSettings("backlog", { stages: { b: 1 } }), /as in films\/encode/],
    ["a stage's value", () => checkSettings("backlog", { stages: { "a/b": 0 } }), /stages\.a\/b is a number from 1/],
    ["a channel by name", () => checkSettings("idle", { channels: ["ops"] }), /ids of channels/],
  ])("refuse %s", (_, act, sentence) => expect(act).toThrow(sentence));

  test("that somebody else wrote and we cannot read are as by default", () => {
    for (const value of [null, 7, "x", { values: { forSeconds: -1 } }, { values: 3, channels: 5 }])
      expect(settingsOf(new Map([[settingName("idle"), value]])).idle).toMatchObject({ values: { forSeconds: 300 } });
  });

  test("are known by name", () => {
    expect(isRule("idle")).toBe(true);
    expect(isRule("toString")).toBe(false);
  });
});
