// What admins set, and what others are told instead, in a real browser on a real server.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { makeFirstAccount, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const VIC: Person = { name: "vic", password: "another horse battery" };
const PHONE = { width: 360, scheme: "light" } as const;
let world: Shop;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const addAccount = async (name: string, role: string) => {
  const data = { name, role, password: VIC.password };
  const made = await page.request.post(`${world.url}/api/v1/accounts`, { data, headers: { origin: world.url } });
  expect(made.ok()).toBe(true);
};

it("where nothing was handed in, the overview says how to hand in the first, until somebody does", async () => {
  await page.goto(world.url);
  const next = page.getByRole("region", { name: "What next" });
  await next.getByText("sluice submit shop").waitFor();
  expect(await page.getByRole("region", { name: "Throughput" }).count()).toBe(0);
  await (await world.sluice.submit(pipeline, [{ title: "a parcel" }])).result();
  await next.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Throughput" }).waitFor();
});

describe("people", () => {
  it("are shut out only when one means it", async () => {
    await addAccount(VIC.name, "viewer");
    await page.goto(`${world.url}/settings?tab=people`);
    const vic = page.getByRole("listitem").filter({ hasText: VIC.name });
    await vic.getByRole("button", { name: "Shut out" }).click();
    const dialog = page.getByRole("dialog", { name: "Shut out vic" });
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await vic.getByRole("button", { name: "Let in again" }).count()).toBe(0);
    await vic.getByRole("button", { name: "Shut out" }).click();
    await dialog.getByRole("button", { name: "Shut out" }).click();
    await vic.getByRole("button", { name: "Let in again" }).click();
    await vic.getByRole("button", { name: "Shut out" }).waitFor();
  });
});

it("keys are listed to the last one", async () => {
  for (let count = 0; count <= 50; count += 1) {
    const data = { name: `key ${count}`, scopes: ["read"] };
    await page.request.post(`${world.url}/api/v1/keys`, { data, headers: { origin: world.url } });
  }
  await page.goto(`${world.url}/settings`);
  await page.getByText("key 50", { exact: true }).waitFor();
  expect(await page.getByText("key 0", { exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByText("key 0", { exact: true }).waitFor();
});

describe("how long things are kept", () => {
  it("is looked at first, and then so", async () => {
    await page.goto(`${world.url}/settings?tab=retention`);
    await page.getByRole("button", { name: "See what would change" }).click();
    await page.getByText("It is so already").waitFor();
    await page.getByLabel("Who did what").fill("400d");
    await page.getByRole("button", { name: "See what would change" }).click();
    await page.getByText("Would keep audit for 400d.").waitFor();
    await page.getByRole("button", { name: "Keep it so" }).click();
    await page.getByText("It holds from now on.").waitFor();
    expect((await world.sluice.retention.status()).limits.audit).toBe(400 * 86_400_000);
  });
});

describe("who only looks", () => {
  it("is offered nothing that is refused, and told who may", async () => {
    const looking = await (await signedIn(browser, world.url, VIC)).newPage();
    await looking.goto(`${world.url}/work`);
    await looking.getByText("a parcel").waitFor();
    expect(await looking.getByRole("checkbox").count()).toBe(0);
    await looking.goto(`${world.url}/pipelines`);
    await looking.getByText("Admins switch stages").waitFor();
    expect(await looking.getByRole("switch").count()).toBe(0);
    await looking.goto(`${world.url}/settings?tab=retention`);
    await looking.getByText("Admins set these.").waitFor();
    expect(await looking.getByRole("textbox").count()).toBe(0);
    await looking.context().close();
  });
});

it("the tab that shows is seen on a phone too", async () => {
  const phone = await (await signedIn(browser, world.url, ADA, PHONE)).newPage();
  await phone.goto(`${world.url}/settings?tab=about`);
  await heading(phone, "Settings").waitFor();
  const tab = await phone.getByRole("navigation", { name: "Settings" }).locator("[aria-current]").boundingBox();
  expect((tab?.x ?? PHONE.width) + (tab?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  await phone.context().close();
});

it("limits tell who is inside, and what the code says", async () => {
  await page.goto(`${world.url}/pipelines`);
  const limits = page.getByRole("region", { name: "Limits" }).first();
  await limits.getByRole("row", { name: /^pick/ }).getByText("0, no limit").waitFor();
  await limits.getByRole("columnheader", { name: "A visit takes at most" }).waitFor();
  expect(await limits.getByRole("row", { name: /^pack/ }).textContent()).toContain("5 min");
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});
