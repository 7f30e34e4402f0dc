// Many items, many tabs, and a stream that does not come through.

import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { breakPacking, makeFirstAccount, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const MANY = 5_000;
const TABS = 10;
let world: Shop;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  context = await signedIn(browser, world.url, ADA);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

describe(`${MANY} items that failed`, () => {
  it("are retried at once: as many as the look before said, with a progress that can be opened again", async () => {
    breakPacking(true);
    const inputs = Array.from({ length: MANY }, (_, index) => ({ title: `parcel ${index}` }));
    const request = await world.sluice.submit(pipeline, inputs);
    await request.result();
    breakPacking(false);
    const page = await context.newPage();
    await page.goto(`${world.url}/work?filter=state:failed`);
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("50 items match. 50 can be retried.").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "All that match the filter" }).click();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await dialog.getByText("5,000 items match. 5,000 can be retried.").waitFor();
    await dialog.getByRole("button", { name: "Retry 5,000" }).click();
    await page.waitForURL(/operation=opr_/);
    const { href } = new URL(page.url());
    await page.goto(world.url);
    await page.goto(href);
    await page.getByText("5,000 of 5,000").waitFor({ timeout: 110_000 });
    const counts = page.locator("dl div").filter({ hasText: /^5,000done$/ });
    await counts.waitFor();
    await page.close();
  }, 240_000);
});

describe(`${TABS} tabs`, () => {
  it("all load, are live, and have one stream between them", async () => {
    const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()));
    for (const page of pages) {
      await page.goto(`${world.url}/work`);
      await heading(page, "Work").waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
    }
    await expect.poll(() => world.streams()).toBe(1);
    await world.sluice.submit(pipeline, [{ title: "seen by all" }], { key: "seen by all" });
    for (const page of pages) await page.getByRole("link", { name: "seen by all" }).waitFor();
    for (const page of pages) await page.close();
  }, 120_000);
});

describe("without a stream", () => {
  it("a page says so, and shows what is new all the same", async () => {
    const blocked = await signedIn(browser, world.url, ADA);
    // What a tab shares with others is asked for outside of it; so this browser has nothing to share.
    await blocked.addInitScript("delete globalThis.SharedWorker");
    await blocked.route("**/api/v1/events*", (route) => route.abort());
    const page = await blocked.newPage();
    await page.goto(`${world.url}/work`);
    await page.getByText(/Live updates paused/).waitFor();
    await world.sluice.submit(pipeline, [{ title: "seen by asking" }], { key: "seen by asking" });
    await page.getByRole("link", { name: "seen by asking" }).waitFor();
    await blocked.close();
  });
});
