// What a filter means to the engine: for lists of items and of requests, and for operations on many. Pure.

import type { BulkFilter, ItemFilter, ItemId, ItemTerms, RequestFilter, RequestTerms } from "../../engine/index.ts";
// Not by the engine's entry, which would bring all of it to a page that reads filters.
import { isDueReason } from "../../engine/items/reasons.ts";
import { toMilliseconds } from "../../kit/duration.ts";
import { formatId, idsBeginning } from "../../kit/ids.ts";
import { ITEM_FIELDS, wholeRequest } from "./fields.ts";
import { type Filter, type FilterProblem, formatFilter, type Term } from "./filter.ts";

type ItemField = keyof typeof ITEM_FIELDS;

/** Terms that the engine knows by the same name, but for two. */
function termsOf(terms: readonly Term[], isNot: boolean): Record<string, unknown> {
  const plain = terms.filter(
    (one) => one.isNot === isNot && !["age", "attempt", "id"].includes(one.field) && !isData(one),
  );
  return Object.fromEntries(
    plain.map(({ field, values }) => {
      if (field === "error") return ["code", values];
      if (field === "version" || field === "priority") return [field, values.map(Number)];
      return [field, field === "request" ? values.map(wholeRequest) : values];
    }),
  );
}

const DATA = "data.";
const isData = ({ field }: Term) => field.startsWith(DATA);

function data(terms: readonly Term[]): ItemFilter["data"] {
  const all = terms.filter(isData).map(({ field, values }) => ({ path: field.slice(DATA.length).split("."), values }));
  return all.length === 0 ? undefined : all;
}

/** All of them have to hold, so of two on one side the narrower one counts. */
function age(terms: readonly Term[]): Pick<ItemFilter, "olderThan" | "newerThan"> {
  const of = (mark: string) =>
    terms
      .filter((one) => one.field === "age" && (one.comparison ?? ">").startsWith(mark))
      .flatMap(({ values }) => values)
      .toSorted((a, b) => toMilliseconds(a, "age") - toMilliseconds(b, "age"));
  return { olderThan: of(">").at(-1), newerThan: of("<")[0] };
}

/** Attempts are counted, so "more than two" is "three at least". */
function attempts(terms: readonly Term[]): Pick<ItemFilter, "attemptsLeast" | "attemptsMost"> {
  const least: number[] = [];
  const most: number[] = [];
  for (const { comparison, values } of terms.filter((one) => one.field === "attempt")) {
    const value = Number(values[0]);
    if (comparison === null || comparison === ">=") least.push(value);
    if (comparison === null || comparison === "<=") most.push(value);
    if (comparison === ">") least.push(value + 1);
    if (comparison === "<") most.push(value - 1);
  }
  return {
    attemptsLeast: least.length === 0 ? undefined : Math.max(...least),
    attemptsMost: most.length === 0 ? undefined : Math.min(...most),
  };
}

const idsOf = (terms: readonly Term[]) => terms.find((one) => one.field === "id")?.values;

export function itemsMeant({ terms, word }: Filter): ItemFilter {
  return {
    // Their names and values were seen to fit when the filter was read.
    ...(termsOf(terms, false) as ItemTerms),
    not: termsOf(terms, true) as ItemTerms,
    ...age(terms),
    ...attempts(terms),
    data: data(terms),
    id: idsOf(terms),
    word: word ?? undefined,
  };
}

export function requestsMeant({ terms, word }: Filter): RequestFilter | FilterProblem {
  if (word !== null) {
    const instead = [`key:${word}`, `id:${word}`];
    return { sentence: "a free word finds items; for requests say what it is", at: 0, word, instead };
  }
  return {
    ...(termsOf(terms, false) as RequestTerms),
    not: termsOf(terms, true) as RequestTerms,
    ...age(terms),
    id: idsOf(terms),
  };
}

const BULK_TAKES: readonly ItemField[] = [
  ...([
    "state",
    "pipeline",
    "version",
    "stage",
    "service",
    "error",
    "message",
    "title",
    "reason",
    "owner",
    "request",
    "age",
    "id",
  ] as const),
];

const BULK_TAKES_SEVERAL: readonly string[] = ["state", "id"];

const examplesOf = (fields: readonly ItemField[]): readonly string[] => fields.map((name) => ITEM_FIELDS[name].example);

/** An operation looks at everything, not at a page, so it takes what leads there by itself: one value of each but states and ids, and nothing negated. */
export function bulkMeant(filter: Filter): BulkFilter | FilterProblem {
  const { word } = filter;
  // It means whole items anyway.
  const terms = filter.terms.filter(
    ({ field, values, isNot }) => isNot || field !== "kind" || values.join() !== "item",
  );
  const wrong = (term: Term, sentence: string, instead = examplesOf(BULK_TAKES)): FilterProblem => {
    const before = formatFilter({ terms: terms.slice(0, terms.indexOf(term)), word: null });
    return {
      sentence,
      at: before === "" ? 0 : before.length + 1,
      word: formatFilter({ terms: [term], word: null }),
      instead,
    };
  };
  if (word !== null) {
    const field = wholeItem(word) === undefined ? "title" : "id";
    const meant: Term = { field, isNot: false, comparison: null, values: [word] };
    const instead = [formatFilter({ terms: [meant], word: null })];
    return { sentence: "an operation on many takes no free word", at: 0, word, instead };
  }
  for (const term of terms) {
    if (!BULK_TAKES.includes(term.field as ItemField))
      // compared with what is one
      return wrong(term, `an operation on many cannot go by ${term.field}; it goes by ${BULK_TAKES.join(", ")}`);
    if (term.isNot) return wrong(term, "an operation on many takes nothing that is turned round; say what is meant");
    if (term.values.length > 1 && !BULK_TAKES_SEVERAL.includes(term.field))
      return wrong(term, `an operation on many takes one value of ${term.field}; do it once for each`, [
        ...term.values.map((value) => formatFilter({ terms: [{ ...term, values: [value] }], word: null })),
      ]);
    const [value = ""] = term.values;
    if (term.field === "reason" && isDueReason(value))
      return wrong(
        term,
        `an operation on many cannot go by ${value}, which is not stored with what stands in line; say where they stand`,
        examplesOf(["service", "stage", "pipeline", "state"]),
      );
  }
  const ids = idsOf(terms)?.map(wholeItem);
  const short = ids?.indexOf(undefined) ?? -1;
  const idTerm = terms.find((one) => one.field === "id");
  if (short >= 0 && idTerm !== undefined) return wrong(idTerm, "an operation on many takes whole ids");
  const { olderThan, newerThan } = age(terms);
  const plain = Object.entries(termsOf(terms, false)).map(([name, values]) => {
    const list = values as unknown[];
    return [name, list.length === 1 ? list[0] : list];
  });
  return {
    ...Object.fromEntries(plain),
    ...(olderThan === undefined ? {} : { olderThan }),
    ...(newerThan === undefined ? {} : { newerThan }),
    ...(ids === undefined ? {} : { ids: ids as ItemId[] }), // none is undefined, as was seen above
  };
}

function wholeItem(value: string): ItemId | undefined {
  const [first] = idsBeginning("item", value) ?? [];
  return first === undefined || first.low !== first.high ? undefined : formatId("item", first.low);
}
