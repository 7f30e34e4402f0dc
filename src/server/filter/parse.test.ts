import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMilliseconds } from "../../kit/duration.ts";
import { formatId } from "../../kit/ids.ts";
import { type Field, ITEM_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import { COMPARISONS, type Filter, formatFilter, type Term } from "./filter.ts";
import { parseFilter } from "./parse.ts";

function parsed(text: string): Filter {
  const read = parseFilter(text, ITEM_FIELDS);
  if ("problem" in read) throw new Error(JSON.stringify(read.problem));
  return read.filter;
}

const term = (field: string, ...values: string[]): Term => ({ field, isNot: false, comparison: null, values });

describe("a filter is read", () => {
  it.each<[string, Filter]>([
    ["", { terms: [], word: null }],
    ["  state:failed ", { terms: [term("state", "failed")], word: null }],
    ["state:FAILED,needs-you", { terms: [term("state", "failed", "needs-you")], word: null }],
    ["key:tmdb:603", { terms: [term("key", "tmdb:603")], word: null }],
    ['key:"a b","c,d",e', { terms: [term("key", "a b", "c,d", "e")], word: null }],
    ['owner:"say \\"hi\\" \\\\o"', { terms: [term("owner", 'say "hi" \\o')], word: null }],
    ["owner:a\\b", { terms: [term("owner", "a\\b")], word: null }],
    ["-pipeline:media", { terms: [{ ...term("pipeline", "media"), isNot: true }], word: null }],
    [
      "attempt:>=2 attempt:<5",
      {
        terms: [
          { ...term("attempt", "2"), comparison: ">=" },
          { ...term("attempt", "5"), comparison: "<" },
        ],
        word: null,
      },
    ],
    ["age:>1h30m tmdb", { terms: [{ ...term("age", "1h30m"), comparison: ">" }], word: "tmdb" }],
    ['"tmdb:603"', { terms: [], word: "tmdb:603" }],
    ['"-x y"', { terms: [], word: "-x y" }],
    [
      'data.film.year:1979 message:"no answer"',
      { terms: [term("data.film.year", "1979"), term("message", "no answer")], word: null },
    ],
    ["itm_5k", { terms: [], word: "itm_5k" }],
  ])("%s", (text, filter) => expect(parsed(text)).toEqual(filter));

  it("has room for all that can be ticked in a list", () => {
    const ids = Array.from({ length: 200 }, (_, n) => formatId("item", BigInt(n + 1)));
    expect(parsed(`state:failed kind:item id:${ids.join(",")}`).terms[2]).toEqual(term("id", ...ids));
  });

  it("for requests has fields of its own", () => {
    expect(parseFilter("status:failed age:<1d", REQUEST_FIELDS)).toMatchObject({
      filter: { terms: [{ values: ["FAILED"] }, {}] },
    });
    expect(parseFilter("state:failed", REQUEST_FIELDS)).toMatchObject({ problem: { instead: ["status"] } });
  });
});

describe("what is wrong is told with its place, the word, and what would do", () => {
  it.each<[string, number, string, RegExp, readonly string[]]>([
    ["owner:a staet:failed", 8, "staet:failed", /did you mean state/, ["state", "stage"]],
    ["xyzzy:1", 0, "xyzzy:1", /put quotes around it/, Object.keys(ITEM_FIELDS)],
    ["state:faild", 0, "state:faild", /did you mean failed/, ["failed"]],
    [
      "state:lost,done",
      0,
      "state:lost,done",
      /but one of queued/,
      ["queued", "running", "waiting", "needs-you", "done", "failed", "cancelled"],
    ],
    ["state:", 0, "state:", /no value/, ["queued", "running", "waiting", "needs-you", "done", "failed", "cancelled"]],
    ["key:a,,b", 0, "key:a,,b", /no value/, ["key:tmdb:603"]],
    ["state:>failed", 0, "state:>failed", /no order/, ["state:failed,waiting"]],
    ["attempt:two", 0, "attempt:two", /whole number from 0/, ["attempt:>2"]],
    ["attempt:1,2", 0, "attempt:1,2", /one value/, ["attempt:>2", "attempt:>1 attempt:<2"]],
    ["age:>1", 0, "age:>1", /a time such as/, ["age:>1h"]],
    ["-age:>1h", 0, "-age:>1h", /turn the comparison round/, ["age:>1h"]],
    ["-id:5k", 0, "-id:5k", /name what is meant/, ["id:itm_0000000000001"]],
    ["priority:9", 0, "priority:9", /from 1 to 5/, ["priority:1"]],
    ["request:itm_1", 0, "request:itm_1", /req_0000000000001/, ["request:req_0000000000001"]],
    ["request:req_00001", 0, "request:req_00001", /a request's id/, ["request:req_0000000000001"]],
    ["id:a!", 0, "id:a!", /or its beginning/, ["id:itm_0000000000001"]],
    ["owner:a owner:b", 8, "owner:b", /twice/, ["owner:a,b"]],
    ["age:>1h age:>2h", 8, "age:>2h", /twice/, ["age:1h,2h"]],
    ['x key:"a b', 6, '"a b', /not closed/, ['"a b"']],
    ["-word", 0, "-word", /cannot be turned round/, ['"-word"']],
    ["two words", 4, "words", /one free word/, ['"two words"']],
    ['state:done ""', 11, '""', /empty/, []],
    [`owner:${Array(21).fill("a").join(",")}`, 0, expect.anything() as unknown as string, /at most 20/, []],
    ["data:x", 0, "data:x", /goes on with a path/, ["data.title:Alien"]],
    ["data.a..b:x", 0, "data.a..b:x", /goes on with a path/, ["data.title:Alien"]],
    ["-data.a:x", 0, "-data.a:x", /cannot be turned round/, ["data.title:Alien"]],
    ["title.a:x", 0, "title.a:x", /there is no "title.a"/, expect.anything() as unknown as string[]],
    ["owner:\0", 6, "", /can be stored/, []],
    ["x".repeat(5_001), 5_000, "", /5000 characters/, []],
    [`id:${Array(201).fill("5k").join(",")}`, 0, expect.anything() as unknown as string, /at most 200/, []],
    ["data.a:1 data.b:1 data.c:1 data.d:1 data.e:1", 36, "data.e:1", /no more than 4 paths/, []],
  ])("%j", (text, at, word, sentence, instead) => {
    const read = parseFilter(text, ITEM_FIELDS);
    expect(read).toMatchObject({ problem: { at, word, sentence: expect.stringMatching(sentence), instead } });
  });

  it("whatever is written, it is read or told", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const read = parseFilter(text, ITEM_FIELDS);
        if ("problem" in read) expect(text.slice(read.problem.at)).toContain(read.problem.word);
        else expect(parsed(formatFilter(read.filter))).toEqual(read.filter);
      }),
    );
  });
});

const storable = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !text.includes("\0"));

function anyValue(name: string, { words }: Field): fc.Arbitrary<string> {
  if (words !== undefined) return fc.constantFrom(...words);
  if (name === "age") return fc.constantFrom("1s", "5m", "1h30m", "2d");
  if (name === "priority") return fc.integer({ min: 1, max: 5 }).map(String);
  if (name === "version" || name === "attempt") return fc.integer({ min: 1, max: 1_000 }).map(String);
  return name === "id" || name === "request" ? fc.constantFrom("5k", "7") : storable;
}

const anyTerm = fc.constantFrom(...(Object.entries(ITEM_FIELDS) as [string, Field][])).chain(([field, about]) =>
  fc.record({
    field: about.hasPath === true ? fc.constantFrom(`${field}.a`, `${field}.b-1.0`) : fc.constant(field),
    isNot: about.onlyPositive === true ? fc.constant(false) : fc.boolean(),
    comparison: about.compares === true ? fc.option(fc.constantFrom(...COMPARISONS)) : fc.constant(null),
    values: fc.array(anyValue(field, about), { minLength: 1, maxLength: about.compares === true ? 1 : 4 }),
  }),
);
const anyFilter: fc.Arbitrary<Filter> = fc.record({
  terms: fc.uniqueArray(anyTerm, {
    maxLength: 6,
    selector: ({ field, isNot, comparison }) => `${field} ${isNot} ${comparison?.charAt(0)}`,
  }),
  word: fc.option(storable),
});

describe("a filter is written", () => {
  it("so that it is read as the same again", () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(parsed(formatFilter(filter))).toEqual(filter);
      }),
    );
  });

  it("with quotes only where they are needed", () => {
    const text = 'state:failed,waiting key:tmdb:603,"a b" -owner:ann age:>1h tmdb';
    expect(formatFilter(parsed(text))).toBe(text);
  });
});

it("every example is one", () => {
  for (const fields of [ITEM_FIELDS, REQUEST_FIELDS])
    for (const { example } of Object.values<Field>(fields))
      expect(parseFilter(example, fields)).toHaveProperty("filter");
  expect(toMilliseconds("1h", "age")).toBe(3_600_000);
});
