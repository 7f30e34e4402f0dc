// Every page, in both themes, on a desk and on a phone: nothing that axe finds serious, nothing that runs out of the window, and
// whatever people call their things is shown as text.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { complaintsOf, heading, LOOKS, newContext, openBrowser, type Person, signedIn } from "./browser.ts";
import { expectFit } from "./fit.ts";
import { breakPacking, makeFirstAccount, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
/** What it is, the title, and what may be shown of it. */
const HOSTILE = [
  [
    "markup",
    `<img src=x onerror="document.title='broken into'">`,
    /^<img src=x onerror="document.title='broken into'">$/,
  ],
  ["what turns the direction of writing", "\u202Etxt.exe \u2066hidden\u2069", /^txt\.exe hidden$/],
  ["ten thousand letters", "long ".repeat(2_000).trim(), /^(long )+\S{1,5}$/],
  ["a word without an end", "w".repeat(500), /^w+…?$/],
] as const;
let world: Shop;
let browser: Browser;
let operation = "";
let failed = "";
let asking = "";
const hostile = new Map<string, { readonly item: string; readonly request: string }>();

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  breakPacking(true);
  const request = await world.sluice.submit(pipeline, [{ title: "one that fails" }]);
  await request.result();
  failed = request.items[0] ?? "";
  operation = await retryAll();
  await request.result();
  breakPacking(false);
  for (const [what, title] of HOSTILE) {
    const handedIn = await world.sluice.submit(pipeline, [{ title }], { key: title.slice(0, 200), owner: "ada" });
    await handedIn.result();
    hostile.set(what, { item: handedIn.items[0] ?? "", request: handedIn.request });
  }
  const { items } = await world.sluice.submit(pipeline, [{ title: "one that asks", asks: true }], { key: "asks" });
  asking = items[0] ?? "";
  const states = async () => (await Promise.all(items.map((id) => world.sluice.item(id)))).map(({ state }) => state);
  // Held before it has asked, its page would show no question.
  await vi.waitFor(async () => expect(await states()).toEqual(["needs-you"]), { timeout: 60_000 });
  await world.sluice.pause({ pipeline: "shop" }, { by: "ada", note: HOSTILE[0][1] });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** One action on many, to its end. */
async function retryAll(): Promise<string> {
  const { request } = await signedIn(browser, world.url, ADA);
  const data = { action: { type: "retry" }, filter: "state:failed" };
  const begun = await request.post(`${world.url}/api/v1/bulk`, { data, headers: { origin: world.url } });
  const { id } = (await begun.json()).operation;
  const state = async () => (await (await request.get(`${world.url}/api/v1/bulk/${id}`)).json()).state;
  await vi.waitFor(async () => expect(await state()).toBe("finished"), { timeout: 60_000 });
  return id;
}

const pages = (): readonly (readonly [path: string, heading: string | RegExp])[] => {
  const { item, request } = hostile.get("markup") ?? { item: "", request: "" };
  return [
    ["/", "Overview"],
    ["/work", "Work"],
    ["/work?filter=state:failed", "Work"],
    ["/work?filter=nonsense:1", "Work"],
    ["/work?view=groups", "Work"],
    [`/items/${failed}`, "one that fails"],
    [`/items/${asking}`, "one that asks"],
    [`/items/${item}?tab=notes`, /./],
    [`/items/${item}?tab=data`, /./],
    [`/requests/${request}`, /./],
    ["/pipelines", "Pipelines"],
    ["/services", "Services"],
    ["/workers", "Workers"],
    ["/activity", "Activity"],
    ["/activity?tab=bulk", "Activity"],
    [`/activity?tab=bulk&operation=${operation}`, "Activity"],
    ["/activity?tab=people", "Activity"],
    ["/activity?tab=messages", "Activity"],
    ["/settings", "Settings"],
    ["/settings?tab=people", "Settings"],
    ["/settings?tab=integrations", "Settings"],
    ["/settings?tab=channels", "Settings"],
    ["/settings?tab=rules", "Settings"],
    ["/settings?tab=retention", "Settings"],
    ["/settings?tab=about", "Settings"],
    ["/no/such/page", /no such page/],
  ];
};

/** What lies in front of a page, and what has to be pressed for it. */
const opened: readonly (readonly [what: string, open: (page: Page) => Promise<void>])[] = [
  ["Replay from…", (page) => ask(page, `/items/${failed}`, "Replay from…")],
  ["Priority", (page) => ask(page, `/items/${asking}`, "Priority")],
  ["Cancel", (page) => ask(page, `/items/${asking}`, "Cancel")],
  ["Remove", (page) => ask(page, `/items/${failed}`, /^Remove/)],
  [
    "an action on many",
    async (page) => {
      await page.goto(`${world.url}/work?filter=state:failed`);
      await page.getByRole("checkbox", { name: "Select one that fails" }).check();
      await page.getByRole("button", { name: "Retry", exact: true }).click();
      await page.getByRole("dialog").getByText("1 item matches.").waitFor();
    },
  ],
  [
    "the menu of one's account",
    async (page) => {
      await page.goto(world.url);
      await page.getByRole("button", { name: /Your account/ }).click();
      await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
    },
  ],
];

async function ask(page: Page, path: string, name: string | RegExp): Promise<void> {
  await page.goto(world.url + path);
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

describe.each(LOOKS)("$width px wide, $scheme", (look) => {
  it("every page is fit to be used and to be read by machines that read", async () => {
    const context = await signedIn(browser, world.url, ADA, look);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (const [path, name] of pages()) {
      await page.goto(world.url + path);
      await heading(page, name).waitFor();
      await expectFit(page, path);
    }
    expect(complaints).toEqual([]);
    await context.close();
  }, 240_000);

  it("so is what lies in front of a page", async () => {
    const context = await signedIn(browser, world.url, ADA, look);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (const [what, open] of opened) {
      await open(page);
      await expectFit(page, what);
    }
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);

  it("so is what one sees before one is in", async () => {
    const context = await newContext(browser, look);
    const page = await context.newPage();
    for (const path of ["/work", "/setup", "/setup#a-code"]) {
      await page.goto("about:blank");
      await page.goto(world.url + path);
      await heading(page, /./).waitFor();
      await expectFit(page, path);
    }
    await context.close();
  });
});

describe.each(LOOKS.filter(({ scheme }) => scheme === "dark"))("$width px wide", (look) => {
  it.each(HOSTILE)("an item that is called %s is shown as text, in its place", async (what, _title, shown) => {
    const context = await signedIn(browser, world.url, ADA, look);
    const page = await context.newPage();
    await page.goto(`${world.url}/items/${hostile.get(what)?.item}`);
    await heading(page, /./).waitFor();
    await expectFit(page, what);
    expect(await heading(page, /./).textContent()).toMatch(shown);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).not.toBe("broken into");
    await context.close();
  });
});

it("in a list too what people call their things is text", async () => {
  const context = await signedIn(browser, world.url, ADA);
  const page = await context.newPage();
  await page.goto(`${world.url}/work?filter=state:done`);
  await page.getByRole("link", { name: HOSTILE[0][1] }).waitFor();
  expect(await page.locator("main img").count()).toBe(0);
  expect(await page.title()).not.toBe("broken into");
  await context.close();
});
