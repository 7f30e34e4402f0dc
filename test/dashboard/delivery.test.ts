// A film is asked for to three servers, encoded by real encoders and sent over SFTP, one of them lets nobody write: all of it as people
// see it, in a real browser on the media world.

import { rmSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MediaWorld, startMediaWorld } from "../../sandbox/media/world.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { complaintsOf, DESKTOP, heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { expectFit } from "./fit.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const VIC: Person = { name: "vic", password: "another horse battery" };
const PHONE = { width: 360, scheme: "dark" } as const;
const FILM = "Winter Harbour (1991)";
const LONG = { timeout: 120_000 } as const;
const quiet = { info() {}, warn() {}, error() {} };
let folder: string;
let world: MediaWorld;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  folder = temporaryFolder("sluice-dashboard-delivery");
  const dashboard = path.resolve(import.meta.dirname, "../../dist/dashboard");
  [world, browser] = await Promise.all([
    startMediaWorld({ folder, port: 0, admin: ADA, version: "test", log: quiet, dashboard }),
    openBrowser(),
  ]);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
  const data = { ...VIC, role: "viewer" };
  const made = await page.request.post(`${world.url}/api/v1/accounts`, { data, headers: { origin: world.url } });
  expect(made.ok()).toBe(true);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

const servers = (where = page) => where.getByRole("region", { name: "Servers", exact: true });
const at = (server: string, where = page) => servers(where).getByRole("listitem").filter({ hasText: server });

async function openFilm(where: Page): Promise<void> {
  await where.goto(`${world.url}/media`);
  await where.getByRole("region", { name: "What was asked for" }).getByRole("link", { name: FILM }).click();
  await heading(where, FILM).waitFor();
}

it("whoever asks chooses among servers, and cannot choose none where it goes somewhere by itself", async () => {
  await world.things.break("vault", "denied");
  await page.goto(`${world.url}/media?find=winter&kind=film`);
  await page.getByRole("button", { name: `Ask for it: ${FILM}` }).click();
  const dialog = page.getByRole("dialog", { name: FILM });
  for (const name of ["attic", "cabin", "vault"]) await dialog.getByRole("checkbox", { name }).uncheck();
  await dialog.getByText("Choose at least one server.").waitFor();
  const go = dialog.getByRole("button", { name: "Ask for it", exact: true });
  expect(await go.isDisabled()).toBe(true);
  for (const name of ["attic", "cabin", "vault"]) await dialog.getByRole("checkbox", { name }).check();
  await dialog.getByLabel("What attic gets").selectOption({ label: "as it was found" });
  await dialog.getByLabel("Where one of them fails").selectOption({ label: "the others have it all the same" });
  await expectFit(page, "asking with servers");
  await go.click();
  await dialog.getByRole("link", { name: "Open the request" }).click();
  await heading(page, FILM).waitFor();
  await page.getByText("attic (as it was found), cabin (pocket), vault (pocket)").waitFor();
});

it("what it is encoded as shows with who does it, both sizes and how fast", async () => {
  const encoded = page.getByRole("region", { name: "Encoded" });
  await encoded.getByText("pocket", { exact: true }).waitFor(LONG);
  await encoded.getByText("Encoded", { exact: true }).last().waitFor(LONG);
  await encoded.getByText(/ → .* smaller · took .* pictures a second/).waitFor();
  await encoded.getByText(/^by (forge|mill)$/).waitFor();
});

it("one server that lets nobody write fails in words, and the others have it with their path", async () => {
  await at("attic").getByText("Delivered").waitFor(LONG);
  await at("cabin").getByText("Delivered").waitFor(LONG);
  await at("vault").getByText("Failed").waitFor(LONG);
  await at("vault").getByText("PERMISSION_DENIED").waitFor();
  await at("attic")
    .getByText(/^Films\/Winter Harbour \(1991\).*\.mkv/)
    .waitFor();
  await servers().getByText("2 of 3 servers have it").waitFor();
});

describe.each([DESKTOP, PHONE])("$width px wide, $scheme", (look) => {
  it("a film that is delivered in part, and its item, are fit to be used", async () => {
    const seen = await (await signedIn(browser, world.url, ADA, look)).newPage();
    await openFilm(seen);
    await at("vault", seen).getByText("Failed").waitFor();
    await expectFit(seen, "a film that is delivered in part");
    await seen.getByRole("link", { name: "Open the item" }).click();
    await at("vault", seen).getByText("PERMISSION_DENIED").waitFor();
    await seen.getByText("targetsHaveIt").first().waitFor();
    await expectFit(seen, "its item");
    await seen.goto(`${world.url}/settings?tab=delivery`);
    await seen.getByText("Online").first().waitFor();
    await expectFit(seen, "encoders that work");
    await seen.context().close();
  });
});

it("a viewer is told in words that the failed one is not theirs to try again", async () => {
  const theirs = await (await signedIn(browser, world.url, VIC)).newPage();
  await openFilm(theirs);
  await servers(theirs).getByText("this needs the right to operate", { exact: false }).waitFor();
  expect(await theirs.getByRole("button", { name: "Try the failed servers again" }).count()).toBe(0);
  await theirs.context().close();
});

it("the failed one is tried again alone, and what is delivered is not sent again", async () => {
  await openFilm(page);
  const before = await deliveredAt("attic");
  await world.things.mend("vault", "denied");
  await page.getByRole("button", { name: "Try the failed servers again" }).click();
  await page.getByText("They are tried again.").waitFor();
  await at("vault").getByText("Delivered").waitFor(LONG);
  await servers().getByText("3 of 3 servers have it").waitFor();
  expect(await deliveredAt("attic")).toBe(before);
});

it("the week is told in five figures, with the average and what failed", async () => {
  await page.goto(`${world.url}/media`);
  const week = page.getByRole("region", { name: "Films and episodes this week" });
  for (const label of ["Time to completion", "Failure rate", "Stalls caught", "Services that went down"])
    await week.getByText(label).waitFor();
  await week.getByText("Checkpoint resumes").waitFor();
  // What has just been done is counted by the minute.
  await week.getByText("on average; half took less than", { exact: false }).waitFor(LONG);
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});

const deliveredAt = (server: string) =>
  at(server).getByRole("time").or(at(server).locator("time")).first().getAttribute("datetime");
