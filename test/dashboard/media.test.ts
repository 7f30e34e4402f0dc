// Asking for films and series, seeing how that stands and choosing what is fetched, in a real browser on a real server.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, DESKTOP, heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { type Cinema, INDEXER_KEY, openCinema, TMDB_KEY } from "./cinema.ts";
import { expectFit } from "./fit.ts";
import { makeFirstAccount } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const BOB: Person = { name: "bob", password: "another horse battery" };
const PHONE = { width: 360, scheme: "dark" } as const;
let world: Cinema;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openCinema(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
  await put("PUT", "media/metadata", { key: TMDB_KEY, url: world.metadata.url });
  await put("PUT", "media/indexers/little", { url: world.indexer.url, apiKey: INDEXER_KEY });
  await put("PUT", "media/clients/qbit", {
    ...{ kind: "qbittorrent", url: world.client.url, username: "admin", password: world.client.doors.password },
  });
  await put("POST", "accounts", { ...BOB, role: "member" });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

async function put(method: string, path: string, data: object): Promise<void> {
  const answer = await page.request.fetch(`${world.url}/api/v1/${path}`, {
    ...{ method, data, headers: { origin: world.url } },
  });
  expect([path, answer.ok() ? "" : await answer.text()]).toEqual([path, ""]);
}

async function search(where: Page, query: string, kind: "Films" | "Series"): Promise<void> {
  await where.goto(`${world.url}/media`);
  await where.getByRole("radio", { name: kind }).check({ force: true });
  await where.getByRole("searchbox", { name: "Search films and series" }).fill(query);
  await where.keyboard.press("Enter");
}

async function openRequest(where: Page, title: string): Promise<void> {
  await where.goto(`${world.url}/media`);
  await where.getByRole("region", { name: "What was asked for" }).getByRole("link", { name: title }).click();
  await heading(where, title).waitFor();
}

const FILM = "Metropolis (1927)";
const SERIES = "The Sluice Keepers (2019)";

describe("a film", () => {
  it("is searched for, asked for, and stands on a card with its poster", async () => {
    await search(page, "metropolis", "Films");
    await page.getByText("A city, and those who built it.").waitFor();
    await page.getByRole("button", { name: `Ask for it: ${FILM}` }).click();
    const dialog = page.getByRole("dialog", { name: FILM });
    await dialog.getByLabel("Quality").waitFor();
    await dialog.getByRole("button", { name: "Ask for it", exact: true }).click();
    await dialog.getByText(`${FILM} is asked for.`).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: /^Asked for already/ }).waitFor();
    const card = page.getByRole("region", { name: "What was asked for" }).getByRole("listitem");
    await card.getByRole("link", { name: FILM }).waitFor();
    const isDrawn = async () =>
      await card.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0);
    await expect.poll(isDrawn).toBe(true);
  });

  it("is joined by whoever asks for it too, who reads so", async () => {
    const theirs = await (await signedIn(browser, world.url, BOB)).newPage();
    await search(theirs, "metropolis", "Films");
    await theirs.getByRole("button", { name: `Ask for it: ${FILM}` }).click();
    await theirs.getByRole("dialog").getByRole("button", { name: "Ask for it", exact: true }).click();
    await theirs.getByText(`Others have asked for ${FILM}; it is under way, and yours too now.`).waitFor();
    await theirs.getByRole("link", { name: "Open the request" }).click();
    await heading(theirs, FILM).waitFor();
    await theirs.getByRole("button", { name: "Leave it" }).waitFor();
    await theirs.context().close();
  });
});

describe("releases", () => {
  const part = (name: string) => page.getByRole("region", { name, exact: true });

  it("are told with why they are not taken, and another is taken by a person who means it", async () => {
    await openRequest(page, FILM);
    await part("Taken").getByText("1080p.BluRay.x264-ONE", { exact: false }).waitFor();
    const refused = part("Refused").getByRole("row").filter({ hasText: "2160p" });
    await refused.getByText("2160p", { exact: false }).first().waitFor();
    expect(await refused.getByRole("cell").nth(3).textContent()).toMatch(/resolution/i);
    await refused.getByRole("button", { name: /^Take this one: Metropolis/ }).click();
    const dialog = page.getByRole("dialog", { name: "Take this release" });
    await dialog.getByText("The present download is let go of", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Take this one" }).click();
    await dialog.waitFor({ state: "detached" });
    await part("Taken").getByText("2160p.BluRay.x265-THREE", { exact: false }).waitFor();
  });

  it("stand on the item's own page as well, which leads back to the request", async () => {
    await openRequest(page, FILM);
    await page.getByRole("link", { name: "Open the item" }).click();
    await page.getByRole("region", { name: "Why" }).waitFor();
    await part("Taken").getByText("2160p.BluRay.x265-THREE", { exact: false }).waitFor();
    await page.getByRole("link", { name: "Request", exact: true }).click();
    await heading(page, FILM).waitFor();
  });
});

describe("a series", () => {
  it("is asked for by its seasons", async () => {
    await search(page, "sluice keepers", "Series");
    await page.getByRole("button", { name: `Ask for it: ${SERIES}` }).click();
    const dialog = page.getByRole("dialog", { name: SERIES });
    await dialog.getByLabel("Only these").check();
    expect(await dialog.getByRole("button", { name: "Ask for it", exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole("checkbox", { name: "Season 1 4 episodes", exact: false }).check();
    await dialog.getByRole("button", { name: "Ask for it", exact: true }).click();
    await dialog.getByRole("link", { name: "Open the request" }).click();
    await heading(page, SERIES).waitFor();
  });

  it("has a box for each episode, which says how it stands and opens", async () => {
    await openRequest(page, SERIES);
    const boxes = page.getByRole("list", { name: "Season 1, episodes" });
    await boxes.getByRole("button", { name: "Episode 4: Both Banks, not on yet, 1 Jan 2999" }).waitFor();
    expect(await boxes.getByRole("button").count()).toBe(4);
    // What was not asked for.
    expect(await page.getByRole("region", { name: "Season 2" }).count()).toBe(0);
    const first = boxes.getByRole("button", { name: /^Episode 1: Low Water, in work/ });
    await first.press("Enter");
    const opened = page.getByRole("region", { name: "Episode 1: Low Water" });
    await opened.getByText("The.Sluice.Keepers.S01E01", { exact: false }).waitFor();
    expect(page.url()).toContain("item=itm_");
    await opened.getByRole("button", { name: "Close Episode 1: Low Water" }).press("Enter");
    await opened.waitFor({ state: "detached" });
    expect(await first.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
  });
});

it("what nobody knows is said to be so, also where the address was typed and looks like a number", async () => {
  await page.goto(`${world.url}/media?find=1984`);
  const found = page.getByRole("region", { name: "Found for “1984”" });
  await found.getByText("knows nothing of that name", { exact: false }).waitFor();
  await found.getByRole("button", { name: "Close" }).click();
  await found.waitFor({ state: "detached" });
});

it("how far a download is shows without a reload", async () => {
  await openRequest(page, FILM);
  const bar = page.getByRole("progressbar").first();
  const before = Number(await bar.getAttribute("aria-valuenow"));
  for (let ticks = 0; ticks < 500; ticks += 1) world.client.world.tick();
  await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
});

it("what is cancelled is asked about first, and stands under none that wait", async () => {
  await openRequest(page, SERIES);
  await page.getByRole("button", { name: "Cancel it" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel it" }).click();
  await page.getByText("Cancelled", { exact: true }).first().waitFor();
  await page.goto(`${world.url}/media?show=waiting`);
  await page.getByRole("link", { name: "Waiting", exact: true }).and(page.locator("[aria-current]")).waitFor();
  await expect.poll(() => page.getByRole("link", { name: SERIES }).count()).toBe(0);
});

describe.each([DESKTOP, PHONE])("$width px wide, $scheme", (look) => {
  it("all of it is fit to be used and to be read by machines that read", async () => {
    const seen = await (await signedIn(browser, world.url, ADA, look)).newPage();
    await openRequest(seen, FILM);
    await seen.getByRole("region", { name: "Taken", exact: true }).waitFor();
    await expectFit(seen, "a film");
    await openRequest(seen, SERIES);
    await seen.getByRole("button", { name: /^Episode 1/ }).click();
    await seen.getByRole("region", { name: "Refused" }).waitFor();
    await expectFit(seen, "an episode");
    await search(seen, "metropolis", "Films");
    await seen.getByRole("button", { name: `Ask for it: ${FILM}` }).waitFor();
    await expectFit(seen, "what was found");
    await seen.goto(`${world.url}/settings?tab=media`);
    await seen.getByRole("button", { name: "Change little" }).click();
    await expectFit(seen, "an indexer");
    await seen.context().close();
  });
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});
