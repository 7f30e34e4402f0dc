// What media needs to know is set by an admin, and tested before it is saved, in a real browser on a real server.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { complaintsOf, heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { type Cinema, INDEXER_KEY, openCinema, TMDB_KEY } from "./cinema.ts";
import { makeFirstAccount } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const BOB: Person = { name: "bob", password: "another horse battery" };
let world: Cinema;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openCinema(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const dialog = () => page.getByRole("dialog");
const open = () => page.goto(`${world.url}/settings?tab=media`);
const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();

it("where nothing is set, the page of media says what is missing and leads there", async () => {
  await page.goto(`${world.url}/media`);
  const first = page.getByRole("region", { name: "Before the first one" });
  await first.getByText("an indexer, such as one of Prowlarr or Jackett: missing").waitFor();
  await first.getByRole("link", { name: "To the settings of media" }).click();
  await heading(page, "Settings").waitFor();
  await page.getByText("Without an indexer nothing is found.").waitFor();
});

it("the metadata service is tested with the key that was typed, and saved", async () => {
  await open();
  const panel = page.getByRole("region", { name: "Metadata" });
  await panel.getByLabel("Address").fill(world.metadata.url);
  await panel.getByLabel("API key", { exact: false }).fill("f".repeat(32));
  await panel.getByRole("button", { name: "Test Metadata" }).click();
  await panel.getByText("It does not work yet.").waitFor();
  await panel.getByText("AUTH", { exact: true }).waitFor();
  await panel.getByLabel("API key", { exact: false }).fill(TMDB_KEY);
  await panel.getByRole("button", { name: "Test Metadata" }).click();
  await panel.getByText("It works.").waitFor();
  await panel.getByRole("button", { name: "Save the metadata settings" }).click();
  await panel.getByText("Saved.").waitFor();
  await panel.getByPlaceholder("Set, not shown; empty keeps it").waitFor();
  expect(await panel.getByLabel("API key", { exact: false }).inputValue()).toBe("");
});

it("an indexer's test says what was tried, as it fails and as it works, before anything is saved", async () => {
  await open();
  await page.getByRole("button", { name: "Add an indexer" }).click();
  await dialog().getByLabel("Name", { exact: false }).fill("little");
  await dialog().getByLabel("Address", { exact: false }).fill(world.indexer.url);
  await dialog().getByLabel("API key").fill("a wrong one");
  await press("Test");
  await dialog().getByText("It does not work yet.").waitFor();
  const tried = dialog().getByRole("list", { name: "What was tried" }).getByRole("listitem");
  expect(await tried.first().textContent()).toContain("reached");
  await tried.last().getByRole("img", { name: "did not work" }).waitFor();
  expect(await tried.last().textContent()).toContain("AUTH");
  await dialog().getByLabel("API key").fill(INDEXER_KEY);
  await press("Test");
  await dialog().getByText("It works.").waitFor();
  await dialog().getByText("the little indexer", { exact: false }).waitFor();
  expect((await listed("indexers")).length).toBe(0);
  await press("Save");
  await dialog().waitFor({ state: "detached" });
  await page.getByText(`${world.indexer.url} · API key: set, not shown`).waitFor();
});

it("a name that is taken is not taken again, and a change keeps the key that is not typed", async () => {
  await open();
  await page.getByRole("button", { name: "Add an indexer" }).click();
  await dialog().getByLabel("Name", { exact: false }).fill("little");
  await dialog().getByLabel("Address", { exact: false }).fill("http://127.0.0.1:9/");
  await press("Save");
  await dialog().getByText("There is one called little already").waitFor();
  await press("Back");
  await page.getByRole("button", { name: "Change little" }).click();
  await dialog().getByLabel("Priority", { exact: false }).fill("7");
  await press("Save");
  await page.getByText("On · priority 7").waitFor();
  await page.getByRole("button", { name: "Test little" }).click();
  await page.getByRole("region", { name: "Indexers" }).getByText("It works.").waitFor();
});

it("a download client is set with its folders by two names", async () => {
  await open();
  await page.getByRole("button", { name: "Add a download client" }).click();
  await dialog().getByLabel("Name: letters", { exact: false }).fill("qbit");
  await dialog().getByLabel("Address", { exact: false }).fill(world.client.url);
  await dialog().getByLabel("Name to sign in with").fill("admin");
  await dialog().getByLabel("Password").fill(world.client.doors.password);
  await dialog().getByLabel("Folder for downloads", { exact: false }).fill("/elsewhere");
  await press("Add a folder");
  await dialog().getByLabel("There", { exact: true }).fill("/elsewhere");
  await dialog().getByLabel("Here", { exact: true }).fill(world.folder);
  await press("Test");
  await dialog().getByText("It works.").waitFor();
  await press("Save");
  await page.getByText(`/elsewhere there is ${world.folder} here`).waitFor();
});

it("a profile begins as the standard one, and what is wrong in it is said in words", async () => {
  await open();
  await page.getByRole("button", { name: "Add a profile" }).click();
  await dialog().getByLabel("Name: letters", { exact: false }).fill("small");
  await dialog().getByLabel("Resolutions", { exact: false }).fill("720p, 9000p");
  await press("Save");
  await dialog().getByText("is no resolution", { exact: false }).waitFor();
  await dialog().getByLabel("Resolutions", { exact: false }).fill("720p");
  await press("Save");
  const line = page.getByRole("listitem").filter({ hasText: "small" });
  await line.getByText("720p · bluray", { exact: false }).waitFor();
  await line.getByRole("button", { name: "Remove" }).click();
  await dialog().getByRole("button", { name: "Remove" }).click();
  await line.waitFor({ state: "detached" });
});

it("what is not needed any more goes, when one means it", async () => {
  await open();
  await page.getByRole("listitem").filter({ hasText: "little" }).getByRole("button", { name: "Remove" }).click();
  await dialog().getByText("It is not searched any more").waitFor();
  await dialog().getByRole("button", { name: "Remove" }).click();
  await page.getByText("Without an indexer nothing is found.").waitFor();
});

it("a member has media, and none of its settings", async () => {
  const data = { ...BOB, role: "member" };
  const made = await page.request.post(`${world.url}/api/v1/accounts`, { data, headers: { origin: world.url } });
  expect(made.ok()).toBe(true);
  const theirs = await (await signedIn(browser, world.url, BOB)).newPage();
  await theirs.goto(`${world.url}/settings?tab=media`);
  await heading(theirs, "Settings").waitFor();
  const main = theirs.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Media" }).waitFor();
  await theirs.getByText("Where you are signed in").waitFor();
  expect(await theirs.getByText("Download clients").count()).toBe(0);
  expect(await theirs.getByRole("navigation", { name: "Settings" }).getByText("Media").count()).toBe(0);
  await theirs.context().close();
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});

async function listed(what: string): Promise<readonly unknown[]> {
  const answer = await page.request.get(`${world.url}/api/v1/media/${what}`);
  return (await answer.json()).entries;
}
