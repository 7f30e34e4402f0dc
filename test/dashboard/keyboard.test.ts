// Everything that people do with the dashboard, done without a mouse.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESKTOP, heading, newContext, openBrowser } from "./browser.ts";
import { breakPacking, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA = { name: "ada", password: "correct horse battery" };
const TABS_MOST = 120;
let world: Shop;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  page = await (await newContext(browser, DESKTOP)).newPage();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** Presses Tab until what has the focus is called that. */
async function tabTo(name: string | RegExp): Promise<void> {
  const isIt = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  for (let presses = 0; presses < TABS_MOST; presses += 1) {
    await page.keyboard.press("Tab");
    if (isIt(await focused())) return;
  }
  throw new Error(`no press of Tab led to ${name}`);
}

/** What a screen reader would call it, near enough for this. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  return (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim();
})()`;
const focused = async () => String(await page.evaluate(FOCUSED));

describe("without a mouse", () => {
  it("one makes the first account", async () => {
    await page.goto(world.setupUrl);
    await tabTo("Name");
    await page.keyboard.type(ADA.name);
    await tabTo("Password");
    await page.keyboard.type(ADA.password);
    await page.keyboard.press("Enter");
    await heading(page, "Overview").waitFor();
  });

  it("one skips to the page", async () => {
    await page.reload();
    await heading(page, "Overview").waitFor();
    await tabTo("Skip to the page");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement?.id")).toBe("page");
  });

  it("one finds what failed, and retries it", async () => {
    breakPacking(true);
    const request = await world.sluice.submit(pipeline, [{ title: "a broken parcel" }]);
    await request.result();
    breakPacking(false);
    await page.reload();
    await heading(page, "Overview").waitFor();
    await tabTo("Work");
    await page.keyboard.press("Enter");
    await heading(page, "Work").waitFor();
    await tabTo("Filter");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("state:failed");
    await page.keyboard.press("Enter");
    await page.getByText("there is no tape left").waitFor();
    await tabTo("a broken parcel");
    await page.keyboard.press("Enter");
    await heading(page, "a broken parcel").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await tabTo("Retry");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Why" }).getByText("Done", { exact: true }).waitFor();
  });

  it("one reads the timeline, bar by bar", async () => {
    await tabTo(/^pick: working/);
    await tabTo(/^pack: .*NO_TAPE/);
  });

  it("one replays, or thinks better of it and is back where one was", async () => {
    await page.reload();
    await page.getByRole("button", { name: "Replay from…" }).waitFor();
    await tabTo("Replay from…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(focused).toBe("Replay from…");
  });

  it("one switches a stage off and on", async () => {
    await page.goto(`${world.url}/pipelines`);
    await page.getByRole("switch", { name: "Stage pack" }).waitFor();
    await tabTo("Stage pack");
    await page.keyboard.press("Space");
    await page.getByText("Off", { exact: true }).waitFor();
    await page.keyboard.press("Space");
    await page.getByText("Off", { exact: true }).waitFor({ state: "hidden" });
  });

  it("one does something to many", async () => {
    await world.sluice.switches.off({ pipeline: "shop", stage: "pack" }, { by: "test" });
    const { items } = await world.sluice.submit(pipeline, [{ title: "one" }, { title: "two" }]);
    const places = async () => (await Promise.all(items.map((id) => world.sluice.item(id)))).map(({ stage }) => stage);
    await expect.poll(places).toEqual(["pack", "pack"]);
    await page.goto(`${world.url}/work?filter=state:queued`);
    await page.getByRole("link", { name: "two", exact: true }).waitFor();
    await tabTo("Select all on this page");
    await page.keyboard.press("Space");
    await tabTo("Cancel items");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("2 items match. 2 can be cancelled.").waitFor();
    await tabTo("Cancel 2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/operation=opr_/);
    await page.getByText("2 of 2").waitFor();
  });

  it("one chooses the dark, and it stays chosen", async () => {
    await tabTo(/^Your account/);
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  });
});
