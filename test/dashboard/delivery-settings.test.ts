// Servers, encodings and encoders are set by an admin, in a real browser on a real server: with SFTP on the loopback, and with ffmpeg.

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SftpServer } from "../../sandbox/media/sftp-server.ts";
import { type EncodingAgent, httpSpeaker } from "../../src/apps/media/index.ts";
import { makeAgent } from "../../src/main/local-encoder.ts";
import { makeLog } from "../../src/main/log.ts";
import { complaintsOf, DESKTOP, openBrowser, type Person, signedIn } from "./browser.ts";
import { type Cinema, openCinema } from "./cinema.ts";
import { expectFit } from "./fit.ts";
import { makeFirstAccount } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const BOB: Person = { name: "bob", password: "another horse battery" };
const PHONE = { width: 360, scheme: "dark" } as const;
let world: Cinema;
let far: SftpServer;
let shelf: string;
let agent: EncodingAgent | undefined;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openCinema(), openBrowser()]);
  [shelf, far] = [path.join(world.room, "shelf"), new SftpServer({ root: path.join(world.room, "far") })];
  for (const folder of [shelf, far.root]) mkdirSync(folder);
  await far.up();
  await makeFirstAccount(world, ADA);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await agent?.stop();
  await browser.close();
  await far.down();
  await world.close();
});

const dialog = () => page.getByRole("dialog");
const open = () => page.goto(`${world.url}/settings?tab=delivery`);
const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
const line = (region: string, text: string) =>
  page.getByRole("region", { name: region }).getByRole("listitem").filter({ hasText: text }).first();

describe("a server", () => {
  it("that is a folder is tested before it is saved, and is where things go unless it is said otherwise", async () => {
    await open();
    await page.getByText("stays where the download client put it", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Add a server" }).click();
    await dialog().getByLabel("Name: letters", { exact: false }).fill("shelf");
    await dialog().getByLabel("Folder there", { exact: false }).fill(path.join(shelf, "nowhere"));
    await press("Test");
    await dialog().getByText("It does not work yet.").waitFor();
    await dialog().getByLabel("Folder there", { exact: false }).fill(shelf);
    await press("Test");
    await dialog().getByText("It works.").waitFor();
    await dialog().getByText("wrote a small file", { exact: false }).waitFor();
    await press("Save");
    await line("Servers", "shelf").getByText("goes here unless it is said otherwise").waitFor();
    await line("Servers", "shelf").getByText("gets films as it was found", { exact: false }).waitFor();
  });

  it("over SFTP says at which step it does not let us in, and its password is not shown again", async () => {
    await open();
    await page.getByRole("button", { name: "Add a server" }).click();
    await dialog().getByLabel("Name: letters", { exact: false }).fill("far");
    await dialog().getByLabel("Kind").selectOption({ label: "Another machine, over SFTP" });
    await dialog().getByLabel("Name or address of the machine").fill("127.0.0.1");
    await dialog().getByLabel("Port").fill(String(far.port));
    await dialog().getByLabel("Name to sign in with").fill(far.username);
    await dialog().getByLabel("Password", { exact: true }).fill("a wrong one");
    await dialog().getByLabel("Folder there", { exact: false }).fill("/");
    await dialog().getByLabel("Gets films").selectOption("hevc");
    await dialog().getByLabel("At most, MB a second", { exact: false }).fill("2.5");
    await press("Test");
    await dialog().getByText("AUTH", { exact: true }).waitFor();
    await dialog().getByLabel("Password", { exact: true }).fill(far.password);
    await press("Test");
    await dialog().getByText("It works.").waitFor();
    await press("Save");
    const saved = line("Servers", "far");
    await saved.getByText("gets films hevc · Signs in with a password: set, not shown", { exact: false }).waitFor();
    await saved.getByText("at most 2.5 MB a second", { exact: false }).waitFor();
    expect(await page.content()).not.toContain(far.password);
  });

  it("is known by its host key from the first visit on; another is refused until a person says to forget it", async () => {
    await open();
    const saved = line("Servers", "far");
    await saved.getByText("not met yet", { exact: false }).waitFor();
    await saved.getByRole("button", { name: "Test far" }).click();
    await saved.getByText("It works.").waitFor();
    await saved
      .getByText(/SHA256:.{43}$/)
      .first()
      .waitFor();
    await far.down();
    far.changeHostKey();
    await far.up();
    await saved.getByRole("button", { name: "Test far" }).click();
    await saved.getByText("HOST_KEY_CHANGED", { exact: true }).waitFor();
    await saved.getByRole("button", { name: "Forget the host key" }).click();
    await dialog().getByText("Do this only where you know why it changed", { exact: false }).waitFor();
    await press("Forget the host key");
    await saved.getByText("not met yet", { exact: false }).waitFor();
    await saved.getByRole("button", { name: "Test far" }).click();
    await saved.getByText("It works.").waitFor();
  });

  it("keeps its password where it is changed, and goes when one means it", async () => {
    await open();
    await page.getByRole("button", { name: "Change far" }).click();
    await dialog().getByPlaceholder("Set, not shown; empty keeps it").waitFor();
    await dialog().getByLabel("Films go to", { exact: false }).fill("Cinema");
    await press("Save");
    await line("Servers", "far").getByText("films to Cinema", { exact: false }).waitFor();
    await line("Servers", "far").getByRole("button", { name: "Test far" }).click();
    await line("Servers", "far").getByText("It works.").waitFor();
    await line("Servers", "far").getByRole("button", { name: "Remove" }).click();
    await press("Remove");
    await expect.poll(() => page.getByRole("button", { name: "Test far" }).count()).toBe(0);
  });
});

it("an encoding is made of choices in words; what came along can be changed, and become again what it was", async () => {
  await open();
  await line("Encodings", "hevc").getByText("came along").waitFor();
  await page.getByRole("button", { name: "Add an encoding" }).click();
  await dialog().getByLabel("Name: letters", { exact: false }).fill("small");
  await dialog().getByLabel("Format of the picture").selectOption("av1");
  expect(await dialog().getByLabel("Quality (CRF)", { exact: false }).inputValue()).toBe("30");
  await dialog().getByLabel("Height of the picture").selectOption({ label: "at most 720 lines (720p)" });
  await dialog().getByLabel("Languages of sound", { exact: false }).fill("german");
  await press("Save");
  await dialog().getByText("a language is two or three small letters", { exact: false }).waitFor();
  await dialog().getByLabel("Languages of sound", { exact: false }).fill("de, en");
  await press("Save");
  await line("Encodings", "small").getByText("AV1, quality 30, 8 · at most 720p", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Change hevc" }).click();
  await dialog().getByLabel("Quality (CRF)", { exact: false }).fill("20");
  await press("Save");
  const changed = page.getByText("HEVC, quality 20", { exact: false });
  await changed.waitFor();
  await line("Encodings", "HEVC, quality 20").getByRole("button", { name: "Remove" }).click();
  await press("Remove");
  await changed.waitFor({ state: "detached" });
  await line("Encodings", "HEVC, quality 24").getByText("came along").waitFor();
});

describe("an encoder", () => {
  const attic = () => line("Encoders", "attic");

  it("is started by a line with a token that was made for it, and comes into the list by itself", async () => {
    await open();
    await page.getByText("None has been here yet.", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Add an encoder" }).click();
    await press("Make a token");
    await dialog().getByText("It is shown now and never again", { exact: false }).waitFor();
    const told = await dialog().getByText("sluice encoder --server", { exact: false }).textContent();
    const [, server = "", token = ""] = /--server (\S+) --token (\S+)$/.exec(told ?? "") ?? [];
    expect(server).toBe(world.url);
    agent = await makeAgent({
      speaker: httpSpeaker({ server, token, name: "attic" }),
      ...{ work: path.join(world.room, "attic"), slots: 2, log: makeLog({ level: "error" }) },
    });
    await agent.start();
    await press("Back");
    await attic().getByText("Online").waitFor();
    await attic().getByText("0 of 2 at a time").waitFor();
    await attic().getByText("on another machine · Sluice", { exact: false }).waitFor();
  });

  it("is tested: it runs its program, encodes a picture, and looks for our files", async () => {
    await attic().getByRole("button", { name: "Test attic" }).click();
    await attic().getByText("It works.").waitFor();
    await attic().getByText("it sees where films are put", { exact: false }).waitFor();
  });

  it("that is switched off gets no more, and where no other is there the page says what that means", async () => {
    await attic().getByRole("switch", { name: "Encoder attic" }).click();
    await attic().getByText("Off: ends what it has").waitFor();
    await page.getByText("None is online and switched on.", { exact: false }).waitFor();
    await attic().getByRole("switch", { name: "Encoder attic" }).click();
    await page.getByText("None is online and switched on.", { exact: false }).waitFor({ state: "detached" });
  });

  it("that was stopped says since when, and can be removed then", async () => {
    expect(await attic().getByRole("button", { name: "Remove" }).count()).toBe(0);
    await agent?.stop();
    await attic().getByText("Stopped").waitFor();
    await attic().getByRole("button", { name: "Remove" }).click();
    await press("Remove");
    await page.getByText("None has been here yet.", { exact: false }).waitFor();
  });
});

describe.each([DESKTOP, PHONE])("$width px wide, $scheme", (look) => {
  it("all of it is fit to be used and to be read by machines that read", async () => {
    const seen = await (await signedIn(browser, world.url, ADA, look)).newPage();
    await seen.goto(`${world.url}/settings?tab=delivery`);
    await seen.getByRole("button", { name: "Change shelf" }).waitFor();
    await expectFit(seen, "servers, encodings and encoders");
    await seen.getByRole("button", { name: "Change shelf" }).click();
    await seen.getByLabel("Kind").selectOption("sftp");
    await seen.getByLabel("Signs in with").selectOption("key");
    await seen.getByLabel("Media server that is told", { exact: false }).selectOption("plex");
    await expectFit(seen, "a server");
    await seen.keyboard.press("Escape");
    await seen.getByRole("button", { name: "Change small" }).click();
    await expectFit(seen, "an encoding");
    await seen.keyboard.press("Escape");
    await seen.getByRole("button", { name: "Add an encoder" }).click();
    await expectFit(seen, "one more encoder");
    await seen.context().close();
  });
});

it("a member has none of these settings", async () => {
  const data = { ...BOB, role: "member" };
  const made = await page.request.post(`${world.url}/api/v1/accounts`, { data, headers: { origin: world.url } });
  expect(made.ok()).toBe(true);
  const theirs = await (await signedIn(browser, world.url, BOB)).newPage();
  await theirs.goto(`${world.url}/settings?tab=delivery`);
  await theirs.getByRole("heading", { name: "Where you are signed in" }).waitFor();
  expect(await theirs.getByText("Encoders").count()).toBe(0);
  await theirs.context().close();
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});
