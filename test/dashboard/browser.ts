// A real browser, of the distribution, for tests of the dashboard. Whatever a page complains of in its console fails the test that
// looked at it.

import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const BINARY = "/usr/bin/chromium";

export async function openBrowser(): Promise<Browser> {
  if (!existsSync(BINARY)) throw new Error("the tests need a browser: install the Debian package chromium");
  // As root, Chromium has no sandbox of its own; it visits nothing but our own server.
  return await chromium.launch({ executablePath: BINARY, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Look {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export const DESKTOP: Look = { width: 1280, scheme: "light" };
export const LOOKS: readonly Look[] = [
  DESKTOP,
  { width: 1280, scheme: "dark" },
  { width: 360, scheme: "light" },
  { width: 360, scheme: "dark" },
];

export interface Person {
  readonly name: string;
  readonly password: string;
}

/** A browser's window in which somebody is signed in. */
export async function signedIn(browser: Browser, url: string, person: Person, look = DESKTOP): Promise<BrowserContext> {
  const context = await newContext(browser, look);
  const answer = await context.request.post(`${url}/api/v1/session`, { data: person, headers: { origin: url } });
  expect(answer.status()).toBe(200);
  return context;
}

export async function newContext(browser: Browser, { width, scheme }: Look): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme });
  context.setDefaultTimeout(60_000);
  return context;
}

/** What it complained of, as it comes. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    // A refusal that a page shows in words is told by the browser as well.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) complaints.push(`${page.url()}: ${message.text()}`);
  });
  return complaints;
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
