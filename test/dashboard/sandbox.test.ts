// The demo world as somebody sees it who breaks it: the banner, the sentence, and how it goes on by itself.

import { rmSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { films } from "../../sandbox/pipeline.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { startWorld, type World } from "../../sandbox/world.ts";
import { complaintsOf, heading, LOOKS, type Look, openBrowser, signedIn } from "./browser.ts";
import { expectFit } from "./fit.ts";

const DASHBOARD = path.resolve(import.meta.dirname, "../../dist/dashboard");
const ADMIN = { name: "demo", password: "correct horse battery" };
const quiet = { info() {}, warn() {}, error() {} };
let folder: string;
let world: World;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  folder = temporaryFolder("sluice-sandbox");
  [world, browser] = await Promise.all([
    startWorld({ folder, port: 0, admin: ADMIN, version: "0.0.0", log: quiet, dashboard: DASHBOARD }),
    openBrowser(),
  ]);
  page = await (await signedIn(browser, world.url, ADMIN)).newPage();
  complaints = complaintsOf(page);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const handIn = async (title: string) => {
  const request = await world.sluice.submit(films, [{ title, year: 1927, megabytes: 300 }]);
  const [id] = request.items;
  if (id === undefined) throw new Error("nothing was handed in");
  return { id, request };
};
/** With something broken, which the other tests of looks have not. */
async function fits(look: Look, paths: readonly string[]): Promise<void> {
  const context = await signedIn(browser, world.url, ADMIN, look);
  const other = await context.newPage();
  for (const path of paths) {
    await other.goto(world.url + path);
    await heading(other, /./).waitFor();
    await expectFit(other, `${path} at ${look.width} px, ${look.scheme}`);
  }
  await context.close();
}
/** Until it is done: a page that is left takes what it was about to send with it. */
const turn = async (thing: string, verb: "Break" | "Mend", fault: string) => {
  await page.goto(`${world.url}/sandbox`);
  await page.getByRole("button", { name: `${thing}: ${verb}: ${fault}` }).click();
  const back = verb === "Break" ? "Mend" : "Break";
  await page.getByRole("button", { name: `${thing}: ${back}: ${fault}` }).waitFor();
};
const why = () => page.getByRole("region", { name: "Why" });

describe("the demo world", () => {
  it("shows a film on its way to three places, live", async () => {
    // As slow as it takes to see it move.
    await turn("converter", "Break", "slow");
    const { id } = await handIn("Metropolis");
    await page.goto(world.url);
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByRole("link", { name: "Metropolis (1927)" }).click();
    await heading(page, "Metropolis (1927)").waitFor();
    const seen = new Set<number>();
    const bars = async () => {
      for (const bar of await why().getByRole("progressbar").all())
        seen.add(Number(await bar.getAttribute("aria-valuenow")));
      return seen.size;
    };
    await expect.poll(bars, { timeout: 60_000 }).toBeGreaterThan(2);
    await turn("converter", "Mend", "slow");
    await page.goto(`${world.url}/items/${id}`);
    await why().getByText("Done", { exact: true }).waitFor({ timeout: 60_000 });
    expect((await world.sluice.item(id)).state).toBe("done");
    for (const target of ["library", "website", "archive"]) await page.getByRole("link", { name: target }).waitFor();
  }, 180_000);

  it("says on every page that a service is down, and what waits says so too; mended, it goes on by itself", async () => {
    await turn("converter", "Break", "stop");
    const { id } = await handIn("Nosferatu");
    await page.goto(`${world.url}/items/${id}`);
    const banner = page.getByRole("region", { name: /down/ });
    await banner.getByText(/converter .* since/).waitFor({ timeout: 60_000 });
    await banner.getByText(/will resume automatically/).waitFor();
    await why()
      .getByText(/converter/)
      .filter({ visible: true })
      .first()
      .waitFor();
    for (const look of LOOKS) await fits(look, ["/", "/sandbox", "/services?service=converter", `/items/${id}`]);
    await turn("converter", "Mend", "stop");
    await page.goto(`${world.url}/items/${id}`);
    await banner.waitFor({ state: "hidden", timeout: 60_000 });
    await why().getByText("Done", { exact: true }).waitFor({ timeout: 60_000 });
    expect((await world.sluice.item(id)).attempts.used).toBeLessThanOrEqual(1);
  }, 180_000);

  it("shows a worker that was killed, and what it had in hand go on", async () => {
    await turn("worker", "Break", "kill");
    const { id } = await handIn("Faust");
    await page.goto(`${world.url}/items/${id}`);
    const banner = page.getByRole("region", { name: "Nobody works" });
    await banner.getByText(/No worker is running\. \d+ items? waits?\./).waitFor({ timeout: 60_000 });
    for (const look of LOOKS) await fits(look, ["/", "/workers"]);
    await why()
      .getByText(/none that is running serves/)
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: 60_000 });
    await turn("worker", "Mend", "kill");
    await page.goto(`${world.url}/items/${id}`);
    await banner.waitFor({ state: "hidden", timeout: 60_000 });
    await why().getByText("Done", { exact: true }).waitFor({ timeout: 90_000 });
  }, 180_000);

  it("no page complained of anything", () => {
    expect(complaints).toEqual([]);
  });
});
