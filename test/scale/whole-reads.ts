// Whether a plan reads all of a table that grows with the number of items.

import { nodesOf, type Plan } from "./database.ts";

const HOT = /^(run|item|request|journal\w*)$/;
const INDEX_OF_HOT = /^(run|item|request|journal)_/;

/** One after the other, from the first row on. Those that a test leaves empty may be read as a whole. */
export function wholeTables(plan: Plan, empty: readonly string[] = []): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const table = node["Relation Name"] ?? "";
    const isWhole = node["Node Type"] === "Seq Scan" && HOT.test(table) && !empty.includes(table);
    return isWhole ? [`reads all of ${table}`] : [];
  });
}

/** Or in the order of an index, without a place to begin at. */
export function wholeIndexes(plan: Plan): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const index = node["Index Name"] ?? "";
    return INDEX_OF_HOT.test(index) && node["Index Cond"] === undefined ? [`reads all of index ${index}`] : [];
  });
}
