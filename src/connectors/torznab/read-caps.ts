// What an indexer says it can be asked. Pure.

import { printable } from "../../kit/index.ts";
import type { IndexerCaps, SearchAbility } from "./indexer.ts";
import { attribute, child, children, type Element, textOf } from "./xml.ts";

/** What is asked for at once, where the indexer allows it. */
const PAGE = 100;
const MOST_CATEGORIES = 500;

/** Of an element `caps`. */
export function readCaps(caps: Element): IndexerCaps {
  const searching = child(caps, "searching");
  const said = Number(attribute(child(caps, "limits"), "max"));
  return {
    title: cleanText(attribute(child(caps, "server"), "title") ?? textOf(child(caps, "title")), 100),
    pageSize: Number.isInteger(said) && said > 0 ? Math.min(said, PAGE) : PAGE,
    // One that does not say what it knows can be asked for text.
    search:
      searching === undefined ? { parameters: ["q"], isRaw: false } : readAbility(child(searching, "search"), "q"),
    film: readAbility(child(searching, "movie-search"), "q"),
    tv: readAbility(child(searching, "tv-search"), "q,season,ep"),
    categories: children(child(caps, "categories"), "category")
      .flatMap((category) => [category, ...children(category, "subcat")])
      .flatMap((category) => readCategory(category))
      .slice(0, MOST_CATEGORIES),
  };
}

function readAbility(element: Element, usual: string): SearchAbility | null {
  if (element === undefined || attribute(element, "available")?.toLowerCase() !== "yes") return null;
  const said = (attribute(element, "supportedParams") ?? usual).toLowerCase().split(",");
  return {
    parameters: said.map((name) => name.trim()).filter((name) => /^[a-z]{1,30}$/.test(name)),
    isRaw: attribute(element, "searchEngine")?.toLowerCase() === "raw",
  };
}

function readCategory(element: Element): IndexerCaps["categories"] {
  const id = Number(attribute(element, "id"));
  if (!Number.isInteger(id) || id <= 0) return [];
  return [{ id, name: cleanText(attribute(element, "name") ?? "", 100) }];
}

/** One line that can be stored and shown, of so many characters at most. */
export function cleanText(text: string, most: number): string {
  return printable(text.slice(0, 4 * most).toWellFormed())
    .trim()
    .slice(0, most)
    .toWellFormed();
}
