// Uploading PDFs, seeing what becomes of them and having it, in a real browser on a real server with a gateway behind it.

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, DESKTOP, heading, openBrowser, type Person, signedIn } from "./browser.ts";
import { expectFit } from "./fit.ts";
import { HOSTILE, openPapers, type Papers, pdf } from "./papers.ts";
import { makeFirstAccount } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const BOB: Person = { name: "bob", password: "another horse battery" };
const VIC: Person = { name: "vic", password: "a looking horse battery" };
const CAL: Person = { name: "cal", password: "a hasty horse battery" };
const PHONE = { width: 360, scheme: "dark" } as const;
const NOT_PDF = { name: "notes.docx", mimeType: "application/msword", buffer: Buffer.from("PK") };
let world: Papers;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openPapers(), openBrowser()]);
  await makeFirstAccount(world, ADA);
  page = await (await signedIn(browser, world.url, ADA)).newPage();
  complaints = complaintsOf(page);
  for (const [person, role] of [
    [BOB, "member"],
    [CAL, "member"],
    [VIC, "viewer"],
  ] as const)
    await page.request.post(`${world.url}/api/v1/accounts`, {
      ...{ data: { ...person, role }, headers: { origin: world.url } },
    });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const list = (where = page) => where.getByRole("region", { name: "Documents", exact: true });
const row = (name: string, where = page) => list(where).getByRole("row").filter({ hasText: name });
const uploads = (where = page) => where.getByRole("region", { name: "Uploads" });
const line = (name: string, where = page) => uploads(where).getByRole("listitem").filter({ hasText: name });

async function open(where = page, more = ""): Promise<void> {
  await where.goto(`${world.url}/documents${more}`);
  await heading(where, "Documents").waitFor();
}

async function choose(where: Page, ...files: readonly ReturnType<typeof pdf>[]): Promise<void> {
  await where.getByLabel("Choose PDFs").setInputFiles([...files]);
}

async function openOne(name: string, where = page): Promise<void> {
  await open(where, `?name=${encodeURIComponent(name)}`);
  await list(where).getByRole("link", { name, exact: true }).click();
  await heading(where, name).waitFor();
}

describe("uploading", () => {
  it("begins with what may be uploaded, and nothing there", async () => {
    await open();
    await page.getByText("Nothing has been uploaded yet. Drop PDFs above").waitFor();
    await page.getByText("PDFs of 4.0 MiB at most · 5 files at a time").waitFor();
    await page.getByText("A PDF is kept for 7 d, and what was made of it for 30 d.").waitFor();
  });

  it("tells of each file what came of it, and takes what it can", async () => {
    await choose(
      page,
      pdf("contract.pdf"),
      pdf("locked.pdf", "locked"),
      NOT_PDF,
      pdf("large.pdf", "fine", 5 * 2 ** 20),
    );
    await line("contract.pdf").getByText("Uploaded", { exact: true }).waitFor();
    await line("notes.docx").getByText("This is not a PDF.").waitFor();
    await line("notes.docx").getByText("Export it as PDF and upload that.").waitFor();
    await line("large.pdf").getByText("and a file may have 4.0 MiB. It was not sent.", { exact: false }).waitFor();
    await uploads().getByText("2 uploaded, 2 refused").waitFor();
    await row("contract.pdf").getByText("Complete").waitFor();
    await row("locked.pdf").getByText("It cannot be opened without a password.", { exact: false }).waitFor();
    expect(await row("large.pdf").count()).toBe(0);
  });

  it("says where the same file is there already, and leads to it", async () => {
    await choose(page, pdf("contract.pdf"));
    const again = line("There already");
    await again.getByText("it was not stored again", { exact: false }).waitFor();
    await uploads().getByRole("button", { name: "Clear the list" }).click();
    await uploads().waitFor({ state: "detached" });
    await choose(page, NOT_PDF);
    await line("notes.docx").getByText("Refused").waitFor();
    await line("notes.docx").getByText("Export it as PDF and upload that.").waitFor();
  });

  it("takes files that are dropped anywhere in the window", async () => {
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["%PDF-1.4\\n% wish:fine dropped.pdf\\n%%EOF\\n"], "dropped.pdf", { type: "application/pdf" }));
      return transfer;
    })()`);
    await page.dispatchEvent("h1", "dragover", { dataTransfer: transfer });
    await page.getByText("Let go to upload").waitFor();
    await page.dispatchEvent("h1", "drop", { dataTransfer: transfer });
    await row("dropped.pdf").getByText("Complete").waitFor();
  });

  it("shows how much has gone, goes on while another page is looked at, and stops when it is told to", async () => {
    await open();
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
    await session.send("Network.emulateNetworkConditions", slow);
    await choose(page, pdf("slow.pdf", "fine", 3 * 2 ** 20));
    const bar = uploads().getByRole("progressbar", { name: "How much of slow.pdf has been sent" });
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Services" }).click();
    await heading(page, "Services").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Documents" }).click();
    await bar.waitFor();
    await uploads().getByRole("button", { name: "Stop" }).click();
    await line("slow.pdf").getByText("Stopped").waitFor();
    await session.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
    await uploads().getByRole("button", { name: "Send slow.pdf again" }).press("Enter");
    await row("slow.pdf").getByText("Complete").waitFor();
  });

  it("by address says what is wrong with one, here and where the server will not go", async () => {
    await open();
    await page.getByText("From addresses on the web").click();
    const box = page.getByLabel("Addresses, one on each line");
    await box.fill("somewhere.pdf");
    await page.getByRole("button", { name: "Fetch and convert" }).click();
    await page.getByText("“somewhere.pdf” is no address that begins", { exact: false }).waitFor();
    await box.fill("http://127.0.0.1:9/report.pdf");
    await page.getByRole("button", { name: "Fetch and convert" }).click();
    await line("http://127.0.0.1:9/report.pdf").getByText("only public ones are fetched", { exact: false }).waitFor();
  });

  it("beyond what one may in a minute waits, and says until when", async () => {
    const theirs = await (await signedIn(browser, world.url, CAL)).newPage();
    await open(theirs);
    const send = async (index: number) =>
      await theirs.request.post(`${world.url}/api/v1/documents`, {
        ...{ multipart: { file: pdf(`${index}.pdf`) }, headers: { origin: world.url } },
      });
    let status = 201;
    for (let index = 0; index < 40 && status === 201; index += 1) status = (await send(index)).status();
    expect(status).toBe(429);
    await choose(theirs, pdf("hasty.pdf"));
    await uploads(theirs).getByText("cal may upload 30 times a minute", { exact: false }).waitFor();
    await uploads(theirs)
      .getByText(/It goes on in \d+ s, by itself/)
      .waitFor();
    await uploads(theirs).getByRole("button", { name: "Leave out hasty.pdf" }).click();
    await uploads(theirs).waitFor({ state: "detached" });
    await theirs.context().close();
  });

  it("is not offered while the disk is full, and the reason is", async () => {
    world.fill(true);
    await open();
    await page.getByText("The server's disk is nearly full", { exact: false }).waitFor();
    expect(await page.getByLabel("Choose PDFs").isDisabled()).toBe(true);
    world.fill(false);
  });
});

describe("a document", () => {
  it("shows what it came to as text, whatever stands in it, and can be had", async () => {
    await open();
    await choose(page, pdf("hostile.pdf", "hostile"));
    await row("hostile.pdf").getByText("Complete").waitFor();
    await openOne("hostile.pdf");
    const xml = page.getByRole("region", { name: "The XML" }).last();
    await xml.getByText(HOSTILE, { exact: false }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).not.toBe("broken into");
    await page.getByText("All of it: ", { exact: false }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download XML" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("hostile.xml");
    expect(readFileSync(await download.path(), "utf8")).toContain(HOSTILE);
  });

  it("scrolls sideways by the keyboard, or wraps its long lines", async () => {
    await openOne("contract.pdf");
    const xml = page.getByRole("region", { name: "The XML" }).last();
    await xml.getByText("What stands in contract.pdf", { exact: false }).waitFor();
    const beyond = () => xml.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(await beyond()).toBeGreaterThan(0);
    await page.getByRole("checkbox", { name: "Wrap long lines" }).check();
    await expect.poll(beyond).toBe(0);
    expect(page.url()).toContain("as=wrapped");
  });

  it("that failed says why and what to do, and is retried while its PDF is there", async () => {
    await openOne("locked.pdf");
    await page
      .getByText("The converter rejected this document. It cannot be opened without a password.")
      .first()
      .waitFor();
    await page.getByText("save it anew without a password", { exact: false }).waitFor();
    await page.getByText("GW_4XX", { exact: true }).first().waitFor();
    const events = page.getByRole("region", { name: "What happened" }).getByRole("listitem");
    const failures = events.filter({ hasText: "Failed" });
    await expect.poll(() => failures.count()).toBe(1);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => failures.count()).toBe(2);
  });

  it("that is tried again by itself says when, and how often it was", async () => {
    await open();
    await choose(page, pdf("flaky.pdf", "flaky"));
    await row("flaky.pdf")
      .getByText(/Tried again in (1 min|\d+ s)/)
      .waitFor();
    await openOne("flaky.pdf");
    await page.getByRole("region", { name: "What went wrong last" }).getByText("GW_5XX").waitFor();
    await page.getByText("1 of 3", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("changes its state before one's eyes", async () => {
    const letGo = world.gateway.hold();
    await open();
    await choose(page, pdf("patient.pdf"));
    await row("patient.pdf").getByText("Converting").waitFor();
    await openOne("patient.pdf");
    await page.getByText("It shows here once it is converted.").waitFor();
    letGo();
    await page.getByText("What stands in patient.pdf", { exact: false }).first().waitFor();
    await page.getByRole("link", { name: "Download XML" }).waitFor();
  });

  it("stands among the items, whose page leads back", async () => {
    await openOne("contract.pdf");
    await page.getByRole("link", { name: "As an item of the engine" }).click();
    await page.getByRole("region", { name: "Why" }).waitFor();
    await page.getByRole("link", { name: "Document", exact: true }).click();
    await page.getByRole("link", { name: "Download XML" }).waitFor();
  });

  it("is deleted when somebody means it", async () => {
    await openOne("dropped.pdf");
    const at = page.url();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete dropped.pdf" });
    await dialog.getByText("This cannot be taken back.", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await heading(page, "Documents").waitFor();
    await expect.poll(() => row("dropped.pdf").count()).toBe(0);
    await page.goto(at);
    await page.getByText("There is no document itm_", { exact: false }).waitFor();
  });
});

it("those that were chosen come as one zip", async () => {
  await open();
  await list().getByRole("checkbox", { name: "Choose contract.pdf" }).check();
  await list().getByRole("checkbox", { name: "Choose patient.pdf" }).check();
  expect(await list().getByRole("checkbox", { name: "Choose locked.pdf" }).isDisabled()).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    list().getByRole("link", { name: "Download 2 as zip" }).click(),
  ]);
  const zip = readFileSync(await download.path());
  expect(zip.subarray(0, 2).toString()).toBe("PK");
  for (const name of ["contract.xml", "patient.xml"]) expect(zip.includes(name)).toBe(true);
  expect(zip.includes("hostile.xml")).toBe(false);
});

it("is narrowed by state and by name, in the address too", async () => {
  await open();
  const shows = page.getByRole("navigation", { name: "Which of them" });
  await shows.getByRole("link", { name: /^Failed/ }).click();
  await row("locked.pdf").waitFor();
  await expect.poll(() => row("contract.pdf").count()).toBe(0);
  await page.reload();
  await row("locked.pdf").waitFor();
  await page.getByRole("searchbox", { name: "Part of a name" }).fill("nowhere");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has “nowhere” in its name.").waitFor();
  await page.getByRole("button", { name: "All names" }).click();
  await row("locked.pdf").waitFor();
});

it("members see their own and nothing of others; who may only look is told so", async () => {
  const theirs = await (await signedIn(browser, world.url, BOB)).newPage();
  await open(theirs);
  await theirs.getByText("Nothing has been uploaded yet. Drop PDFs above").waitFor();
  expect(await theirs.getByRole("navigation", { name: "Whose" }).count()).toBe(0);
  await openOne("contract.pdf");
  await theirs.goto(page.url());
  await theirs.getByText("There is no document itm_", { exact: false }).waitFor();
  await theirs.context().close();
  const seen = await (await signedIn(browser, world.url, VIC)).newPage();
  await open(seen);
  await seen.getByText("You may look here, and upload nothing", { exact: false }).waitFor();
  expect(await seen.getByLabel("Choose PDFs").count()).toBe(0);
  await openOne("contract.pdf", seen);
  await seen.getByText("You may look, and neither retry nor delete it.").waitFor();
  expect(await seen.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await seen.getByRole("link", { name: "Download XML" }).waitFor();
  await seen.context().close();
});

it("what cannot be asked for says so, and is asked for again", async () => {
  let isBroken = true;
  await page.route("**/api/v1/documents?*", (route) => (isBroken ? route.abort() : route.continue()));
  await open();
  const failed = list().getByRole("alert");
  await failed.getByText("Could not load documents.").waitFor();
  isBroken = false;
  await failed.getByRole("button", { name: "Try again" }).click();
  await row("contract.pdf").waitFor();
  await page.unroute("**/api/v1/documents?*");
});

describe("while the converter is away", () => {
  const banner = () => page.getByText("Converter busy — jobs will resume automatically.");

  it("it says so on top, and goes on by itself when it is back", async () => {
    world.gateway.isDown = true;
    await open();
    await choose(page, pdf("one.pdf"), pdf("two.pdf"), pdf("three.pdf"));
    await banner().waitFor();
    await page.getByText("It is asked again", { exact: false }).waitFor();
    await row("one.pdf").getByText("Queued").waitFor();
    await choose(page, pdf("held.pdf"));
    await row("held.pdf").getByText("Queued").waitFor();
    await openOne("held.pdf");
    await banner().waitFor();
    world.gateway.isDown = false;
    await page.getByText("What stands in held.pdf", { exact: false }).first().waitFor();
    await banner().waitFor({ state: "detached" });
  });
});

describe.each([DESKTOP, PHONE])("$width px wide, $scheme", (look) => {
  it("all of it is fit to be used and to be read by machines that read", async () => {
    const seen = await (await signedIn(browser, world.url, ADA, look)).newPage();
    await open(seen);
    await choose(seen, NOT_PDF, pdf("contract.pdf"));
    await line("There already", seen).waitFor();
    await seen.getByText("From addresses on the web").click();
    await row("flaky.pdf", seen).waitFor();
    await expectFit(seen, "the list");
    for (const name of ["contract.pdf", "locked.pdf", "flaky.pdf"]) {
      await openOne(name, seen);
      await expectFit(seen, name);
    }
    await seen.context().close();
  });
});

// After all that look for others on the first page: who sees everybody's has these before them.
it("has more than a page, and brings the older ones when they are asked for", async () => {
  const theirs = await (await signedIn(browser, world.url, BOB)).newPage();
  for (let lot = 0; lot < 11; lot += 1) {
    const form = new FormData();
    for (let index = 0; index < 5; index += 1) {
      const { name, buffer } = pdf(`bulk ${lot * 5 + index}.pdf`);
      form.append("file", new File([new Uint8Array(buffer)], name));
    }
    const sent = await theirs.request.post(`${world.url}/api/v1/documents`, {
      ...{ multipart: form, headers: { origin: world.url } },
    });
    expect(sent.status()).toBe(201);
  }
  await open(theirs);
  await row("bulk 54.pdf", theirs).waitFor();
  expect(await row("bulk 0.pdf", theirs).count()).toBe(0);
  await theirs.getByRole("button", { name: "Older" }).click();
  await row("bulk 0.pdf", theirs).waitFor();
  await row("bulk 0.pdf", theirs).getByText("Complete").waitFor();
  await theirs.context().close();
});

it("what is gone is told as expired, and Retry is held back with the reason in words", async () => {
  await world.expire("sources");
  await world.expire("results");
  await openOne("contract.pdf");
  await page.getByText("Expired", { exact: true }).first().waitFor();
  await page.getByText("It was removed when its time was over.", { exact: false }).waitFor();
  expect(await page.getByRole("link", { name: "Download XML" }).count()).toBe(0);
  await openOne("locked.pdf");
  const retry = page.getByRole("button", { name: "Retry" });
  const reason = page.getByText(/Its PDF was removed on \d{4}-\d\d-\d\d; upload it again/i);
  await reason.waitFor();
  expect(await retry.getAttribute("aria-disabled")).toBe("true");
  expect(await retry.getAttribute("aria-describedby")).toBe(await reason.getAttribute("id"));
  await retry.press("Enter");
  await page.getByText("Failed", { exact: true }).first().waitFor();
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});
