// Where one lands on a server without a dashboard.

import { type Html, html } from "../http/html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 14vh auto; padding: 0 1rem; }`;

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${body}
</html>
`.text;
}

export function landingPage(version: string): string {
  return page(
    "Sluice",
    html`<p>Version ${version} is running here. What it can be asked: <a href="/api/docs">the API</a>; from a terminal: <code>sluice status</code>.</p>`,
  );
}
