// Two versions of a pipeline at once: side by side, their shares, and each thing that was stopped let go on by itself.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../src/engine/index.ts";
import { complaintsOf, heading, openBrowser, signedIn } from "./browser.ts";
import { makeFirstAccount, openShop, type Shop } from "./shop.ts";

const ADA = { name: "ada", password: "correct horse battery" };
const versions = [1, 2].map((version) =>
  definePipeline("shop", { version, input: z.object({}) }).stage("pick", { run: async () => done({ version }) }),
);
let world: Shop;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(versions), openBrowser()]);
  await makeFirstAccount(world, ADA);
  const context = await signedIn(browser, world.url, ADA);
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(`${world.url}/pipelines`);
  await heading(page, "Pipelines").waitFor();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const closed = () => page.getByRole("list", { name: "Held or switched off" });
const shares = async () => (await world.sluice.versions.list("shop")).map(({ share }) => share);

it("shares of new requests are told before they are changed", async () => {
  const table = page.getByRole("region", { name: "Versions side by side" });
  await table.getByRole("row", { name: /Version 2/ }).waitFor();
  await page.getByRole("button", { name: "Change shares: shop" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Version 1, in percent").fill("90");
  await dialog.getByRole("button", { name: "See what would change" }).click();
  await dialog.getByRole("alert").getByText(/100/).waitFor();
  await dialog.getByLabel("Version 2, in percent").fill("10");
  await dialog.getByRole("button", { name: "See what would change" }).click();
  await dialog.getByText("Would give of the new requests of shop 90 % to version 1, 10 % to version 2.").waitFor();
  expect(await shares()).not.toEqual([90, 10]);
  await dialog.getByRole("button", { name: "Change shares" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await shares()).toEqual([90, 10]);
});

it("what one version has in flight is held and released", async () => {
  await page.getByRole("button", { name: "Hold: shop · Version 2" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Why/).fill("it loses boxes");
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await closed().getByText("it loses boxes").waitFor();
  await closed().getByRole("button", { name: "Release: shop · Version 2" }).click();
  await closed().waitFor({ state: "detached" });
});

it("a stage that is switched off for one version is switched on for that one", async () => {
  const second = page.getByRole("switch", { name: "Version 2: Stage pick" });
  await second.click();
  await closed().getByText("shop · Version 2 · pick").waitFor();
  expect(await page.getByRole("switch", { name: "Version 1: Stage pick" }).isChecked()).toBe(true);
  await second.click();
  await closed().waitFor({ state: "detached" });
});

it("a hold of one stage is resumed as such, and one of everything stands above all", async () => {
  await world.sluice.pause({ pipeline: "shop", version: 1, stage: "pick" }, { by: "ada" });
  await world.sluice.pause({}, { by: "ada", note: "stocktaking" });
  await closed().getByRole("button", { name: "Resume: shop · Version 1 · pick" }).click();
  await closed().getByText("shop · Version 1 · pick").waitFor({ state: "detached" });
  await closed().getByText("stocktaking").waitFor();
  await closed().getByRole("button", { name: "Resume: Everything" }).click();
  await closed().waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});
