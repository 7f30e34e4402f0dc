// Every page, in both themes, on a desk and on a phone: nothing that axe finds serious, nothing that runs out of the window, and
// whatever people call their things is shown as text.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, heading, LOOKS, openBrowser, type Person, signedIn } from "./browser.ts";
import { breakPacking, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOSTILE = [
  `<img src=x onerror="document.title='broken into'">`,
  "\u202Etxt.exe \u2066hidden\u2069",
  "long ".repeat(2_000).trim(),
  "w".repeat(500),
];
let world: Shop;
let browser: Browser;
let hostileItem = "";

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  const token = world.setupUrl.split("#")[1];
  await fetch(`${world.url}/api/v1/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: world.url },
    body: JSON.stringify({ ...ADA, token }),
  });
  breakPacking(true);
  await (await world.sluice.submit(pipeline, [{ title: "one that fails" }])).result();
  breakPacking(false);
  for (const title of HOSTILE) {
    const request = await world.sluice.submit(pipeline, [{ title }], { key: title.slice(0, 200), owner: "ada" });
    await request.result();
    hostileItem = request.items[0] ?? hostileItem;
  }
  await world.sluice.submit(pipeline, [{ title: "one that asks", asks: true }], { key: "asks" });
  await world.sluice.pause({ pipeline: "shop" }, { by: "ada", note: HOSTILE[0] ?? "" });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const pages = (): readonly (readonly [path: string, heading: string | RegExp])[] => [
  ["/", "Overview"],
  ["/work", "Work"],
  ["/work?filter=state:failed", "Work"],
  ["/work?filter=nonsense:1", "Work"],
  ["/work?view=groups", "Work"],
  [`/items/${hostileItem}`, /./],
  [`/items/${hostileItem}?tab=data`, /./],
  ["/pipelines", "Pipelines"],
  ["/services", "Services"],
  ["/workers", "Workers"],
  ["/activity", "Activity"],
  ["/activity?tab=bulk", "Activity"],
  ["/activity?tab=people", "Activity"],
  ["/activity?tab=messages", "Activity"],
  ["/settings", "Settings"],
  ["/settings?tab=people", "Settings"],
  ["/settings?tab=channels", "Settings"],
  ["/settings?tab=rules", "Settings"],
  ["/settings?tab=about", "Settings"],
  ["/no/such/page", /no such page/],
];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
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

describe.each(LOOKS)("$width px wide, $scheme", (look) => {
  it("every page is fit to be used and to be read by machines that read", async () => {
    const context = await signedIn(browser, world.url, ADA, look);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (const [path, name] of pages()) {
      await page.goto(world.url + path);
      await heading(page, name).waitFor();
      await expect.poll(() => page.locator("[aria-label^=Loading]").count(), { timeout: 20_000 }).toBe(0);
      const runsOut = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect([path, runsOut]).toEqual([path, 0]);
      expect([path, await serious(page)]).toEqual([path, []]);
      expect(await page.title()).not.toContain("broken into");
    }
    expect(complaints).toEqual([]);
    await context.close();
  }, 180_000);
});

it("what people call their things is text, whatever is in it", async () => {
  const context = await signedIn(browser, world.url, ADA);
  const page = await context.newPage();
  await page.goto(`${world.url}/work?filter=state:done`);
  await page.getByRole("link", { name: HOSTILE[0] ?? "" }).waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  await context.close();
});
