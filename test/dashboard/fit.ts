// What every page has to be, whatever it shows: loaded, inside its window, and nothing that axe finds serious.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Rows of links that are wider than the page scroll sideways, and no other way. */
const SCROLLING_UP_AND_DOWN = `[...document.querySelectorAll("main nav")]
  .filter((one) => getComputedStyle(one).overflowY !== "visible" && one.scrollHeight > one.clientHeight)
  .map((one) => one.ariaLabel)`;

export async function expectFit(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.locator("[aria-label^=Loading]").count()).toBe(0);
  const beyond = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect([what, beyond]).toEqual([what, 0]);
  expect([what, await page.evaluate(SCROLLING_UP_AND_DOWN)]).toEqual([what, []]);
  expect([what, await serious(page)]).toEqual([what, []]);
}

async function serious(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
  )) as Finding[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}
