import { describe, expect, it } from "vitest";
import { parseTopics, shownTo } from "./audience.ts";
import type { Told } from "./envelope.ts";

const mias: Told = {
  cursor: "1-1-1",
  topics: ["item:itm_0000000000001", "request:req_0000000000001", "pipeline:films"],
  item: "itm_0000000000001",
  owner: "mia",
  json: "whole",
  common: undefined,
};
const services: Told = { ...mias, topics: [], item: null, owner: null, common: "in short" };
const nobodys: Told = { ...services, common: undefined };
const seen = (told: Told, owner: string | null, topics?: string) =>
  shownTo(told, { owner, topics: parseTopics(topics) });

describe("who is told what", () => {
  it("who sees everything is told everything, a member of what is theirs and of what is everybody's", () => {
    expect([mias, services, nobodys].map((told) => seen(told, null))).toEqual(["whole", "whole", "whole"]);
    expect([mias, services, nobodys].map((told) => seen(told, "mia"))).toEqual(["whole", "in short", undefined]);
    expect([mias, services, nobodys].map((told) => seen(told, "mo"))).toEqual([undefined, "in short", undefined]);
  });

  it("any topic that fits is enough, and none opens what is another's", () => {
    for (const topic of mias.topics) {
      expect(seen(mias, null, `pipeline:other, ${topic}`)).toBe("whole");
      expect(seen(mias, "mo", topic)).toBeUndefined();
    }
    expect(seen(mias, null, "pipeline:other")).toBeUndefined();
    expect(seen(services, null, "pipeline:films")).toBeUndefined();
  });
});

describe("topics", () => {
  it("are read in any spelling of an id, and none means all", () => {
    expect(parseTopics("item:ITM_0000000000001")).toEqual(new Set(["item:itm_0000000000001"]));
    expect([parseTopics(undefined), parseTopics(" ")]).toEqual([null, null]);
  });

  it.each(["films", "item:", "item:7", "request:itm_0000000000001", "owner:mia", "pipeline:films,", "x".repeat(9)])(
    "%s is none, and the error names the field",
    (text) => {
      expect(() => parseTopics(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT", field: "topics" }));
    },
  );

  it("are not too many", () => {
    expect(() => parseTopics("pipeline:a,".repeat(100).concat("pipeline:b"))).toThrow(/at most 100/);
  });
});
