// The two pages that the server has without a dashboard: where one lands, and where the first account is made.

import { type Html, html } from "../http/html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 14vh auto; padding: 0 1rem; }
label { display: block; margin-top: 1rem; }
input, button { width: 100%; box-sizing: border-box; padding: .55rem .7rem; font: inherit; }
button { margin-top: 1.25rem; }
[role=status] { min-height: 1.5rem; margin-top: 1rem; }
small { opacity: .75; }`;

function page(title: string, body: Html, script?: string): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${body}
${script === undefined ? "" : html`<script src="${script}"></script>`}
</html>
`.text;
}

export function landingPage(version: string): string {
  return page(
    "Sluice",
    html`<p>Version ${version} is running here. What it can be asked: <a href="/api/docs">the API</a>; from a terminal: <code>sluice status</code>.</p>`,
  );
}

export const SETUP_PAGE = page(
  "The first account",
  html`<form>
<label>Name <input name="name" autocomplete="username" autocapitalize="none" required maxlength="40"></label>
<label>Password <input name="password" type="password" autocomplete="new-password" required minlength="12"></label>
<button>Make it</button>
<p role="status"></p>
</form>
<p><small>An admin's. The password has twelve characters or more. The link that led here is good for this once.</small></p>`,
  "/setup.js",
);

/** The token stands behind the # of the address, which no log ever sees. */
export const SETUP_SCRIPT = `"use strict";
const form = document.querySelector("form");
const told = document.querySelector("[role=status]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  told.textContent = "…";
  const given = Object.fromEntries(new FormData(form));
  try {
    const answer = await fetch("/api/v1/setup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...given, token: location.hash.slice(1) }),
    });
    if (!answer.ok) {
      told.textContent = (await answer.json()).detail;
      return;
    }
    history.replaceState(null, "", "/setup");
    form.remove();
    document.querySelector("h1").textContent = "Welcome, " + given.name;
    document.querySelector("small").textContent = "You are signed in here. Keys for programs: sluice key create";
  } catch {
    told.textContent = "The server does not answer; try again.";
  }
});
`;
