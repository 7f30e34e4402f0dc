// node scripts/screenshots.ts: the pictures in docs/dashboard.md, of the demo world with something broken in it.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BrowserContext, chromium } from "playwright-core";
import { film } from "../sandbox/demo/titles.ts";
import { films } from "../sandbox/pipeline.ts";
import { temporaryFolder } from "../sandbox/temporary-folder.ts";
import { startWorld, type World } from "../sandbox/world.ts";
import { documentPictures } from "./documents-screenshots.ts";
import { mediaPictures } from "./media-screenshots.ts";

const root = join(import.meta.dirname, "..");
const pictures = join(root, "docs/screenshots");
const admin = { name: "demo", password: "correct horse battery" };
const dashboard = join(root, "dist/dashboard");
const quiet = { info() {}, warn() {}, error() {} };

execFileSync(process.execPath, [join(root, "scripts/dashboard.ts")], { stdio: "inherit" });
mkdirSync(pictures, { recursive: true });
const folder = temporaryFolder("sluice-screenshots");
const world = await startWorld({
  ...{ folder, port: 0, admin, version: "demo", log: quiet, dashboard },
});
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const done = await furnish(world);
  const desk = await context(1280, "light");
  const dark = await context(1280, "dark");
  const phone = await context(360, "light");
  await picture(desk, "/work", "work");
  await picture(desk, "/pipelines", "pipelines");
  await picture(desk, `/items/${done}`, "item-done");
  const waiting = await breakIt(world);
  await picture(desk, "/", "overview");
  await picture(dark, "/", "overview-dark");
  await picture(desk, `/items/${waiting}`, "item-waiting");
  await picture(phone, `/items/${waiting}`, "item-phone");
  await picture(desk, "/services?service=converter", "services");
  await picture(desk, "/sandbox", "sandbox", 560);
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
try {
  await mediaPictures({ admin, dashboard, context: signedIn, picture: pictureOf });
  await documentPictures({ admin, context: signedIn, picture: pictureOf });
} finally {
  await browser.close();
}

function context(width: number, colorScheme: "light" | "dark"): Promise<BrowserContext> {
  return signedIn(world.url, width, colorScheme);
}

async function signedIn(url: string, width: number, colorScheme: "light" | "dark"): Promise<BrowserContext> {
  const made = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  await made.request.post(`${url}/api/v1/session`, { data: admin, headers: { origin: url } });
  return made;
}

async function picture(where: BrowserContext, path: string, name: string, height?: number): Promise<void> {
  await pictureOf(where, world.url + path, name, height);
}

/** As one sees it, without what lies below. */
async function pictureOf(where: BrowserContext, address: string, name: string, height = 800): Promise<void> {
  const page = await where.newPage();
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await sleep(1_500);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.close();
}

/** Some that are done, and some on their way. */
async function furnish({ sluice }: World): Promise<string> {
  const first = await sluice.submit(
    films,
    Array.from({ length: 6 }, (_, index) => film(index, { asks: false })),
  );
  await first.result();
  await sluice.submit(
    films,
    Array.from({ length: 5 }, (_, index) => film(index + 6, { asks: true })),
  );
  await sleep(3_000);
  return first.items[0] ?? "";
}

/** Until everybody has noticed. */
async function breakIt({ sluice, things }: World): Promise<string> {
  await things.break("converter", "stop");
  const later = await sluice.submit(
    films,
    Array.from({ length: 4 }, (_, index) => film(index + 11, { asks: false })),
  );
  for (let looks = 0; looks < 120; looks += 1) {
    const { entries } = await sluice.items({ reason: "service_down", kind: "item" });
    if (entries.length > 1) return entries[0]?.id ?? "";
    await sleep(500);
  }
  return later.items[0] ?? "";
}
