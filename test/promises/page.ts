// The page of promises: what stands between its marks is generated, the rest is prose. Pure.

import type { Facts } from "./facts.ts";
import type { Chapter, Promised } from "./promises.ts";

const [BEGIN, END] = ["<!-- begin promises -->", "<!-- end promises -->"];

export const isKept = ({ isKept: isShown, tests }: Promised, facts: Facts): boolean =>
  isShown(facts) && tests.every((test) => hasPassed(test, facts));

const hasPassed = (test: Promised["tests"][number], { notPassed }: Facts): boolean =>
  !notPassed.some(({ file, title }) => file === test.file && title === test.title);

export function tables(chapters: readonly Chapter[], facts: Facts, about: string): string {
  const parts = chapters.map(({ title, promises }) =>
    [
      `## ${title}\n`,
      "| promise | | measured | tests that passed in the same run |",
      "|---|---|---|---|",
      ...promises.map((promise) => row(promise, facts)),
    ].join("\n"),
  );
  return [...parts, about].join("\n\n");
}

function row(promise: Promised, facts: Facts): string {
  const { name, says, measured, tests } = promise;
  const held = tests.map((test) => {
    const named = `\`${test.file}\`: “${test.title}”`;
    return hasPassed(test, facts) ? named : `**did not pass:** ${named}`;
  });
  const verdict = isKept(promise, facts) ? "met" : "**not met**";
  return `| **${name}.** ${says} | ${verdict} | ${measured(facts)} | ${held.join("; ") || "–"} |`;
}

export function fillIn(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error("the page of promises has no marks");
  return `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(to)}`;
}

/** The names of the rows that a page has, with what it says of each. */
export function rowsIn(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| \*\*(.+?)\.\*\* .+? \| (\S.*?) \| /gm);
  return new Map([...rows].map(([, name = "", verdict = ""]) => [name, verdict]));
}
