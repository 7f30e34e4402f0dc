import { describe, expect, it } from "vitest";
import { ITEM_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import type { Filter } from "./filter.ts";
import { bulkMeant, itemsMeant, requestsMeant } from "./meaning.ts";
import { parseFilter } from "./parse.ts";

function filter(text: string, fields: typeof ITEM_FIELDS | typeof REQUEST_FIELDS = ITEM_FIELDS): Filter {
  const read = parseFilter(text, fields);
  if ("problem" in read) throw new Error(read.problem.sentence);
  return read.filter;
}

describe("to a list of items", () => {
  it.each<[string, object]>([
    ["state:failed,waiting -state:waiting", { state: ["failed", "waiting"], not: { state: ["waiting"] } }],
    ["error:GONE worker:attic part:nas", { code: ["GONE"], worker: ["attic"], part: ["nas"] }],
    ["version:3 priority:1,2", { version: [3], priority: [1, 2] }],
    ["attempt:>2 attempt:<=4", { attemptsLeast: 3, attemptsMost: 4 }],
    ["attempt:2", { attemptsLeast: 2, attemptsMost: 2 }],
    ["age:>1h age:<2d", { olderThan: "1h", newerThan: "2d" }],
    ["age:1h", { olderThan: "1h" }],
    ["attempt:1 attempt:>=0", { attemptsLeast: 1, attemptsMost: 1 }],
    ["attempt:>=0 attempt:1 attempt:<9", { attemptsLeast: 1, attemptsMost: 1 }],
    ["age:90m age:>2h", { olderThan: "2h" }],
    ["age:>2h age:90m", { olderThan: "2h" }],
    ["title:alien -message:x", { title: ["alien"], not: { message: ["x"] } }],
    [
      "data.film.year:1979,1985 data.n:1",
      {
        data: [
          { path: ["film", "year"], values: ["1979", "1985"] },
          { path: ["n"], values: ["1"] },
        ],
      },
    ],
    ["request:5k id:7,8 tmdb", { request: ["req_000000000005k"], id: ["7", "8"], word: "tmdb" }],
  ])("%s", (text, meant) => expect(itemsMeant(filter(text))).toMatchObject(meant));
});

describe("to a list of requests", () => {
  it("by what they have", () => {
    expect(requestsMeant(filter("status:failed -owner:ann age:<1d id:5", REQUEST_FIELDS))).toMatchObject({
      status: ["FAILED"],
      not: { owner: ["ann"] },
      newerThan: "1d",
      id: ["5"],
    });
  });

  it("a free word has to say what it is", () => {
    expect(requestsMeant(filter("tmdb", REQUEST_FIELDS))).toMatchObject({ instead: ["key:tmdb", "id:tmdb"] });
  });
});

describe("to an operation on many", () => {
  it("by what leads to them", () => {
    expect(bulkMeant(filter("state:failed pipeline:media error:GONE version:2 age:>1h request:5"))).toEqual({
      ...{ state: "failed", pipeline: "media", code: "GONE", version: 2, olderThan: "1h" },
      request: "req_0000000000005",
    });
    expect(bulkMeant(filter("kind:item state:failed"))).toEqual({ state: "failed" });
    expect(bulkMeant(filter("state:waiting,queued"))).toEqual({ state: ["waiting", "queued"] });
    expect(bulkMeant(filter("id:5,itm_0000000000007"))).toEqual({ ids: ["itm_0000000000005", "itm_0000000000007"] });
  });

  it("by a reason that is stored with items, and not by one that follows from where they stand", () => {
    expect(bulkMeant(filter("reason:not_available"))).toEqual({ reason: "not_available" });
    expect(bulkMeant(filter("reason:no_worker"))).toMatchObject({
      instead: ["service:indexer", "stage:encode", "pipeline:media", "state:failed,waiting"],
    });
  });

  it.each([
    ["state:failed worker:attic", 13, "worker:attic", /cannot go by worker/],
    ["kind:part", 0, "kind:part", /cannot go by kind/],
    ["-owner:ann", 0, "-owner:ann", /turned round/],
    ["stage:fetch,encode", 0, "stage:fetch,encode", /one value of stage/],
    ["id:0000", 0, "id:0000", /whole ids/],
    ["tmdb", 0, "tmdb", /no free word/],
    [
      "pipeline:media reason:service_down",
      15,
      "reason:service_down",
      /cannot go by service_down.*say where they stand/,
    ],
    ["reason:paused", 0, "reason:paused", /cannot go by paused/],
  ])("%s is refused with a sentence", (text, at, word, sentence) => {
    const refused = bulkMeant(filter(text));
    expect(refused).toMatchObject({ at, word, sentence: expect.stringMatching(sentence) });
    // What is offered instead is not refused in its turn.
    const instead = "instead" in refused ? (refused.instead ?? []) : [];
    expect(instead.length).toBeGreaterThan(0);
    for (const offered of instead) expect(bulkMeant(filter(offered)), offered).not.toHaveProperty("sentence");
  });
});
