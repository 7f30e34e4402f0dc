// What is answered while the database is not there yet: people get a page that looks again by itself, programs a problem and a time
// to come back. Anybody may ask, so it says of which kind the trouble is and never where the database is or who we are there. Pure.

import { errorLink } from "./error-catalogue.ts";
import { html } from "./html.ts";

export interface Waiting {
  readonly since: Date;
  /** Of which kind the last trouble was; undefined before the first try is over. */
  readonly trouble: string | undefined;
}

/** People wait so long before the page looks again, programs are told the same. */
const AGAIN_SECONDS = 2;

const HEADERS = {
  "cache-control": "no-store",
  "retry-after": String(AGAIN_SECONDS),
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

export function waitingAnswer(request: Request, { since, trouble }: Waiting, requestId: string): Response {
  const { pathname } = new URL(request.url);
  if (pathname === "/healthz") return json(200, "application/json", { status: "ok" });
  const reason = trouble === undefined ? "the database is being opened" : `waiting for the database: ${trouble}`;
  if (pathname === "/readyz") return json(503, "application/json", { status: "not ready", reasons: [reason] });
  const isPage = !pathname.startsWith("/api/") && (request.headers.get("accept") ?? "").includes("text/html");
  if (isPage)
    return new Response(page(since, trouble), {
      status: 503,
      headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" },
    });
  return json(503, "application/problem+json", {
    type: errorLink("UNAVAILABLE"),
    title: "Not available",
    status: 503,
    code: "UNAVAILABLE",
    detail: `Sluice is not ready: ${reason}. Try again in a moment.`,
    requestId,
    retryAfter: AGAIN_SECONDS,
  });
}

function json(status: number, type: string, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, "content-type": type } });
}

function page(since: Date, trouble: string | undefined): string {
  const last = trouble === undefined ? "It is being opened for the first time." : `${capital(trouble)}.`;
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${AGAIN_SECONDS}">
<meta name="viewport" content="width=device-width">
<title>Sluice is waiting for its database</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 32rem; margin: 20vh auto; padding: 0 1rem; }
  small { opacity: 0.7; }
</style>
<h1>Sluice is waiting for its database…</h1>
<p>${last}</p>
<p><small>Since <time>${since.toISOString()}</time>. This page looks again by itself; nothing that was handed in is lost.</small></p>
</html>
`.text;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
