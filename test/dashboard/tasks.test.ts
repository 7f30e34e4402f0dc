// What people do with the dashboard, in a real browser on a real server.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, DESKTOP, heading, newContext, openBrowser, type Person } from "./browser.ts";
import { breakPacking, openShop, shop as pipeline, type Shop } from "./shop.ts";

const ADA: Person = { name: "ada", password: "correct horse battery" };
const MIA: Person = { name: "mia", password: "another horse battery" };
let world: Shop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [world, browser] = await Promise.all([openShop(), openBrowser()]);
  context = await newContext(browser, DESKTOP);
  page = await context.newPage();
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
});

const handIn = async (title: string, more: { asks?: boolean } = {}) => {
  const request = await world.sluice.submit(pipeline, [{ title, ...more }], { key: title });
  const [id] = request.items;
  if (id === undefined) throw new Error("nothing was handed in");
  return { request, id };
};
const failed = async (title: string) => {
  breakPacking(true);
  const { request, id } = await handIn(title);
  await request.result();
  breakPacking(false);
  return id;
};
const signIn = async (to: Page, { name, password }: Person) => {
  await to.goto(world.url);
  await to.getByLabel("Name").fill(name);
  await to.getByLabel("Password").fill(password);
  await to.getByRole("button", { name: "Sign in" }).click();
  await heading(to, "Overview").waitFor();
};
const state = (name: string) => page.getByRole("region", { name: "Why" }).getByText(name, { exact: true });

describe("the first start", () => {
  it("leads by its link to the first account, and on to the overview", async () => {
    await page.goto(world.setupUrl);
    await page.getByLabel("Name").fill(ADA.name);
    // What opens the door once is out of sight as soon as it is read.
    expect(page.url()).not.toContain("#");
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button").click();
    await heading(page, "Overview").waitFor();
    expect(page.url()).not.toContain("#");
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.title()).toBe("Overview · Sluice");
  });

  it("has no second first account", async () => {
    const other = await (await newContext(browser, DESKTOP)).newPage();
    await other.goto(world.setupUrl);
    await other.getByLabel("Name").fill("eve");
    await other.getByLabel("Password").fill("also twelve letters");
    await other.getByRole("button").click();
    await other.getByRole("alert").getByText(/\S/).waitFor();
    await other.context().close();
  });
});

describe("signing in", () => {
  it("leads to where one was going", async () => {
    const other = await (await newContext(browser, DESKTOP)).newPage();
    await other.goto(`${world.url}/work?filter=state:done`);
    await other.getByLabel("Name").fill(ADA.name);
    // It is asked again and again whether somebody is in by now; what was typed stays.
    await other.waitForResponse("**/api/v1/me");
    expect(await other.getByLabel("Name").inputValue()).toBe(ADA.name);
    await other.getByLabel("Password").fill("wrong, but long enough");
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("alert").getByText(/\S/).waitFor();
    await other.getByLabel("Password").fill(ADA.password);
    await other.getByRole("button", { name: "Sign in" }).click();
    await heading(other, "Work").waitFor();
    expect(new URL(other.url()).searchParams.get("filter")).toBe("state:done");
    await other.context().close();
  });
});

describe("an item", () => {
  it("shows how it moves, without being asked", async () => {
    await world.sluice.switches.off({ pipeline: "shop", stage: "pack" }, { by: "test" });
    const { id } = await handIn("a parcel");
    await page.goto(`${world.url}/items/${id}`);
    await heading(page, "a parcel").waitFor();
    await page.getByText("switched off").first().waitFor();
    await world.sluice.switches.on({ pipeline: "shop", stage: "pack" }, { by: "test" });
    await state("Done").waitFor();
    await page.getByRole("button", { name: /^pack: working/ }).waitFor();
  });

  it("is retried once what kept it is mended", async () => {
    await page.goto(`${world.url}/items/${await failed("a broken parcel")}`);
    await state("Failed").waitFor();
    await page.getByText("there is no tape left").first().waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await state("Done").waitFor();
  });

  it("is replayed from a stage, and says before what is kept and what is done again", async () => {
    const { id, request } = await handIn("a second-hand parcel");
    await request.result();
    await page.goto(`${world.url}/items/${id}`);
    await page.getByRole("button", { name: "Replay from…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Begin with").selectOption("pack");
    await dialog.getByText("Kept").waitFor();
    expect(await dialog.locator("dd").allTextContents()).toEqual(["pick", "pack"]);
    await dialog.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("replayed").first().waitFor();
    await state("Done").waitFor();
  });

  it("that asks is answered", async () => {
    const { id } = await handIn("a parcel of some size", { asks: true });
    await page.goto(world.url);
    const asked = page.getByRole("region", { name: /Needs you/ });
    await asked.getByText("Which box?").waitFor();
    await asked.getByRole("link", { name: "Answer" }).click();
    await page.waitForURL(`**/items/${id}`);
    await page.getByRole("button", { name: "large" }).click();
    await state("Done").waitFor();
    expect((await world.sluice.item(id)).outputs).toMatchObject({ pick: { box: "large" } });
  });

  it("that cannot be retried says why in words", async () => {
    const { id, request } = await handIn("a finished parcel");
    await request.result();
    await page.goto(`${world.url}/items/${id}`);
    await page.getByText("What cannot be done now, and why").click();
    await page.getByText(/^Retry:/).waitFor();
  });

  it("that never was is no blank page", async () => {
    await page.goto(`${world.url}/items/itm_9999999999999`);
    await page.getByText(/There is no item/).waitFor();
  });
});

describe("a stage", () => {
  it("is switched off and on, and says so everywhere meanwhile", async () => {
    await page.goto(`${world.url}/pipelines`);
    const pack = page.getByRole("switch", { name: "Stage pack" });
    await pack.click();
    await page.getByText("Off", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("region", { name: "Held or switched off" }).getByText("shop · pack").waitFor();
    await page.goBack();
    await pack.click();
    await expect.poll(() => pack.getAttribute("aria-checked")).toBe("true");
    expect((await world.sluice.switches.list()).filter((one) => one.state !== "on")).toEqual([]);
  });
});

describe("another person at the same browser", () => {
  it("sees nothing of whoever was there before, in no tab, and has a stream of their own", async () => {
    const { id } = await handIn("a private parcel");
    const shared = await newContext(browser, DESKTOP);
    const [one, two] = [await shared.newPage(), await shared.newPage()];
    await signIn(one, ADA);
    await one.getByText("Live", { exact: true }).waitFor();
    await two.goto(`${world.url}/items/${id}`);
    await heading(two, "a private parcel").waitFor();
    const made = await one.request.post(`${world.url}/api/v1/accounts`, {
      data: { ...MIA, role: "member" },
      headers: { origin: world.url },
    });
    expect(made.ok()).toBe(true);
    await one.getByRole("button", { name: /Your account/ }).click();
    await one.getByRole("menuitem", { name: "Sign out" }).click();
    await one.getByLabel("Name").waitFor();
    await expect.poll(() => world.streams()).toBe(1); // the other browser's
    await signIn(one, MIA);
    await one.getByText("Live", { exact: true }).waitFor();
    await two.bringToFront();
    await two.getByText(/There is no item/).waitFor();
    await two.getByRole("button", { name: /Your account: mia/ }).waitFor();
    expect(await two.getByText("a private parcel").count()).toBe(0);
    await shared.close();
  });
});

describe("a line that is cut", () => {
  it("leaves what was there, and says that it is from before", async () => {
    const cut = await newContext(browser, DESKTOP);
    const other = await cut.newPage();
    await signIn(other, ADA);
    await other.getByRole("link", { name: "Workers" }).click();
    await other.getByRole("table").waitFor();
    await cut.route("**/api/v1/workers", (route) => route.abort());
    await other.getByText("Workers could not be refreshed; what you see is from before.").waitFor();
    await other.getByRole("table").waitFor();
    await cut.close();
  });
});

describe("what is selected", () => {
  it("is of its filter: with another one nothing is, least of all everything", async () => {
    await failed("a parcel to be ticked");
    await page.goto(`${world.url}/work?filter=state:failed`);
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "All that match the filter" }).click();
    const bar = page.getByRole("region", { name: "What to do with them" });
    await bar.getByText("All that match the filter").waitFor();
    await page.getByRole("checkbox", { name: "Select a parcel to be ticked" }).uncheck();
    await bar.waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await bar.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "All that match the filter" }).click();
    await page.getByRole("link", { name: "Running" }).click();
    await bar.waitFor({ state: "detached" });
  });

  it("is done to as many as were shown", async () => {
    await page.goto(`${world.url}/work?filter=state:failed`);
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "All that match the filter" }).click();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    const begun = page.waitForRequest((request) => request.url().endsWith("/api/v1/bulk"));
    await page.getByRole("button", { name: "Retry 1", exact: true }).click();
    expect((await begun).postDataJSON()).toMatchObject({ expected: 1 });
    await heading(page, "Activity").waitFor();
  });
});

describe("what is in the address", () => {
  it("is how one would rather see it", async () => {
    await page.goto(world.url);
    await page.getByRole("button", { name: "As a table" }).click();
    await page.waitForURL(/as=table/);
    await page.reload();
    await page.getByRole("columnheader", { name: "From" }).waitFor();
  });

  it("is which view is marked, and no other", async () => {
    const marked = page.getByRole("navigation", { name: "Views" }).locator("[aria-current]");
    for (const name of ["Running", "Failures by cause", "All"]) {
      await page.goto(`${world.url}/work`);
      await page.getByRole("link", { name, exact: true }).click();
      await expect.poll(() => marked.allTextContents()).toEqual([name]);
    }
  });

  it("is what a reload shows again", async () => {
    await page.goto(`${world.url}/work`);
    await page.getByRole("searchbox", { name: "Filter" }).fill("state:done pipeline:shop");
    await page.getByRole("button", { name: "Find" }).click();
    await page.waitForURL(/filter=/);
    await page.reload();
    await heading(page, "Work").waitFor();
    expect(await page.getByRole("searchbox", { name: "Filter" }).inputValue()).toBe("state:done pipeline:shop");
  });

  it("is what going back goes back to, and never traps", async () => {
    await page.goto(`${world.url}/`);
    for (const name of ["Work", "Pipelines", "Services", "Settings"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await heading(page, name).waitFor();
    }
    for (const name of ["Services", "Pipelines", "Work", "Overview"]) {
      await page.goBack();
      await heading(page, name).waitFor();
    }
  });

  it("is a filter that says what is wrong with it, and what would do", async () => {
    await page.goto(`${world.url}/work`);
    await page.getByRole("searchbox", { name: "Filter" }).fill("stat:failed ");
    await page.getByRole("button", { name: "state:failed" }).click();
    expect(await page.getByRole("searchbox", { name: "Filter" }).inputValue()).toBe("state:failed ");
  });
});

it("no page complained of anything", () => {
  expect(complaints).toEqual([]);
});
