// A member can neither see, count, download, retry nor follow another's document, by any route: those of documents, those of items and
// requests, and the feed. The list of routes is the server's own, so that one more is looked at without anybody remembering it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseId } from "../../src/kit/index.ts";
import type { RoutePolicy } from "../../src/server/http/routes.ts";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";
import { type PretendDocuments, pretendDocuments, smallPdf, uploadForm } from "../support/pretend-documents.ts";

let world: AppWorld;
let pretended: PretendDocuments;
let readBefore: ReadonlyMap<string, string>;
let readAfter: ReadonlyMap<string, string>;
/** Of mia: one that is complete, one that failed, and what she did to many. */
let complete: { readonly id: string; readonly request: string };
let failed: { readonly id: string; readonly request: string };
let operation = "";
const SECRET = "the-name-of-hers";

beforeAll(async () => {
  pretended = pretendDocuments();
  world = await openAppWorld([], { documents: pretended });
  readBefore = await readByMo();
  complete = await upload("mia", "first");
  pretended.gateway.trouble("convert", { status: 422 });
  failed = await upload("mia", "second");
  pretended.gateway.down();
  const waiting = await upload("mia", "waiting");
  const body = { action: { type: "set-priority", priority: 2 }, filter: "state:failed" };
  operation = (await world.ask("/api/v1/bulk", { method: "POST", as: "mia", body })).json.operation.id;
  await world.t.drain();
  readAfter = await readByMo();
  await world.ask(`/api/v1/documents/${waiting.id}`, { method: "DELETE", as: "mia" });
  pretended.gateway.down(false);
  await world.t.advance("5m");
});
afterAll(() => world.close());

async function upload(as: Person, word: string) {
  const body = uploadForm([{ name: `${SECRET}-${word}.pdf`, content: smallPdf(`${as} ${word}`) }]);
  const { json } = await world.ask("/api/v1/documents", { method: "POST", as, body });
  await world.t.drain();
  return json.files[0].document as { readonly id: string; readonly request: string };
}

const LONG_AGO = {
  name: "test-long-ago",
  text: "update documents.document set completed_at = completed_at - interval '90 days' where item_id = $1",
};

/** Of hers, by what stands in braces; and what never was. */
const hersAt = (path: string, { id, request }: typeof complete) => filled(path, { item: id, request, operation });
const nobodysAt = (path: string) =>
  filled(path, { item: "itm_0000009999999", request: "req_0000009999999", operation: "opr_0000009999999" });

function filled(path: string, names: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ELSE[name] ?? "x");
}

/** What else has a name, and belongs to nobody. */
const ELSE: Record<string, string> = { pipeline: "documents", version: "1", service: "gateway", tmdb: "1" };
const ABOUT_ONE = /\{(item|request|operation)\}/;

/** What members may do that is about none of these. A new one has to be looked at, and its line written. */
const LOOKED_AT: { readonly [route: string]: string } = {
  "GET /api/v1/ws": "`up`: a member hears of her own documents alone",
  "POST /api/v1/bulk": "below: it meets what is one's own",
  "POST /api/v1/documents": "below: the same file is not known to be there",
  "POST /api/v1/requests": "below: hers cannot be converted by its hash",
  "POST /api/v1/media/requests": "films and series are no documents",
  "POST /api/v1/questions/{question}/answer": "documents ask nothing; `test/server/actions` has it",
  ...Object.fromEntries(
    [
      ...["POST /api/v1/session", "DELETE /api/v1/session", "POST /api/v1/setup", "POST /api/v1/keys"],
      ...["DELETE /api/v1/keys/{key}", "DELETE /api/v1/sessions", "DELETE /api/v1/sessions/{session}"],
      ...["PUT /api/v1/me/password"],
    ].map((route) => [route, "one's own account"]),
  ),
};

const routesOf = (isMeant: (route: RoutePolicy, name: string) => boolean) =>
  world.server.policies.filter((one) => isMeant(one, `${one.method} ${one.path}`));
const isReading = ({ method, path }: RoutePolicy, name: string) =>
  method === "GET" && !ABOUT_ONE.test(path) && LOOKED_AT[name] === undefined;
/** What no member may. */
const isClosed = ({ method, policy, path }: RoutePolicy) =>
  method !== "GET" && !ABOUT_ONE.test(path) && (policy === "admin" || policy === "encode");

/** Times and numbers of answers, and how large the whole database is: they move with whatever happens, and tell of nothing in it. */
const MOVING = new Set(["requestId", "at", "lastBeat", "cursor", "database"]);

/** All that mo can read without naming something, as it stands now. */
async function readByMo(): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for (const { path } of routesOf(isReading)) {
    const { status, json, text } = await world.ask(nobodysAt(path), { as: "mo" });
    const told =
      json === undefined ? text : JSON.stringify(json, (key, value) => (MOVING.has(key) ? undefined : value));
    read.set(path, `${status} ${told}`);
  }
  return read;
}

describe("to another member", () => {
  it("every route is looked at here, or says where", () => {
    const left = routesOf((one, name) => !ABOUT_ONE.test(one.path) && !isReading(one, name) && !isClosed(one));
    expect(left.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(LOOKED_AT).toSorted());
  });

  it("everything there is to read is told as if hers were not there: no name, no count, no time", () => {
    expect(readAfter.size).toBeGreaterThan(40);
    for (const [path, told] of readAfter) expect(told, path).toBe(readBefore.get(path));
  });

  it("what only admins may is closed, whatever is named in it", async () => {
    for (const { method, path } of routesOf(isClosed)) {
      const { status } = await world.ask(hersAt(path, complete), { method, as: "mo" });
      expect(status, `${method} ${path}`).toBe(403);
    }
  });

  it("a bulk operation of another meets none of hers", async () => {
    for (const filter of ["pipeline:documents", "state:failed"]) {
      const body = { action: { type: "retry" }, filter };
      const { status, json } = await world.ask("/api/v1/bulk?dryRun=true", { method: "POST", as: "mo", body });
      expect([filter, status, json.preview]).toEqual([
        filter,
        200,
        { matched: 0, would: 0, examples: [], refused: [] },
      ]);
    }
  });

  it("every route about one item, request or operation says the same of hers as of one that never was", async () => {
    const routes = routesOf(({ path }) => ABOUT_ONE.test(path));
    expect(routes.length).toBeGreaterThan(25);
    for (const { method, path } of routes) {
      const body = method === "GET" || method === "DELETE" ? undefined : bodyFor(path);
      for (const one of [complete, failed]) {
        const theirs = await world.ask(hersAt(path, one), { method, as: "mo", body });
        const nobodys = await world.ask(nobodysAt(path), { method, as: "mo", body });
        expect([theirs.status, theirs.json?.code], `${method} ${path}`).toEqual([nobodys.status, nobodys.json?.code]);
        expect(theirs.status, `${method} ${path}`).toBe(404);
        expect(theirs.text, `${method} ${path}`).not.toContain(SECRET);
      }
    }
    // And she herself is not kept from any of it.
    for (const at of ["", "/events", "/download", "/preview"])
      expect((await world.ask(`/api/v1/documents/${complete.id}${at}`, { as: "mia" })).status).toBe(200);
    expect(
      (await world.ask(`/api/v1/documents/${failed.id}/retry?dryRun=true`, { method: "POST", as: "mia" })).status,
    ).toBe(200);
    expect((await world.ask(`/api/jobs/${failed.id}/retry?dryRun=true`, { method: "POST", as: "mia" })).status).toBe(
      200,
    );
  });

  it.each([
    "/api/v1/documents",
    "/api/v1/documents?owner=everyone&show=complete",
    "/api/v1/documents?name=the-name",
    "/api/v1/items?limit=200",
    "/api/v1/items?filter=pipeline:documents",
    "/api/v1/items?filter=state:failed",
    "/api/v1/items?filter=the-name",
    "/api/v1/requests?limit=200",
    "/api/v1/failures",
    "/api/v1/stuck",
    "/api/v1/overview",
    "/api/v1/events?limit=500",
  ])("%s tells nothing of hers", async (at) => {
    const theirs = await world.ask(at, { as: "mo" });
    expect(theirs.status, theirs.text.slice(0, 300)).toBe(200);
    expect(theirs.text).not.toContain(SECRET);
    for (const { id, request } of [complete, failed])
      for (const name of [id, request]) expect(theirs.text).not.toContain(name);
  });

  it("counts have none of hers in them", async () => {
    const { json } = await world.ask("/api/v1/documents/about", { as: "mo" });
    expect(Object.values(json.counts)).toEqual([0, 0, 0, 0, 0, 0]);
    const { json: own } = await world.ask("/api/v1/documents/about", { as: "mia" });
    expect(own.counts).toMatchObject({ complete: 1, failed: 1 });
    const { json: all } = await world.ask("/api/v1/documents/about", { as: "vic" });
    expect(all.counts).toMatchObject({ complete: 1, failed: 1 });
  });

  it("an archive of hers is not to be had, alone or among others", async () => {
    const own = await upload("mo", "own");
    expect((await world.ask(`/api/v1/documents/archive?ids=${own.id}`, { as: "mo" })).status).toBe(200);
    for (const ids of [complete.id, `${own.id},${complete.id}`]) {
      const { status, json } = await world.ask(`/api/v1/documents/archive?ids=${ids}`, { as: "mo" });
      expect([status, json.code]).toEqual([404, "NOT_FOUND"]);
    }
    const everyone = await world.ask("/api/v1/documents/archive?owner=everyone", { as: "mo" });
    expect(everyone.text).toContain(`${SECRET}-own.xml`);
    expect(everyone.text).not.toContain(`${SECRET}-first.xml`);
  });

  it("that hers has expired is told to her and to those who see everything, and to nobody else", async () => {
    const { id } = await upload("mia", "expiring");
    const { json: begins } = await world.ask("/api/v1/events?limit=500", { as: "ann" });
    await world.t.sluice.tables.query(LONG_AGO, [parseId("item", id)]);
    // The upkeep is every ten minutes.
    await world.t.advance("11m");
    for (const [as, count] of [
      ["mia", 1],
      ["ann", 1],
      ["mo", 0],
    ] as const) {
      const { json } = await world.ask(`/api/v1/events?limit=500&after=${begins.cursor}`, { as });
      type Told = { event?: string; jobId?: string; code: string | null; message: string | null };
      const told = json.events.filter(({ event }: Told) => event === "item.expired");
      expect([as, told.length]).toEqual([as, count]);
      for (const one of told) expect(one).toMatchObject({ type: "job.progress", jobId: id, code: "EXPIRED" });
    }
  });

  it("the same file is not known to be there", async () => {
    const body = uploadForm([{ name: "guess.pdf", content: smallPdf("mia first") }]);
    const { json } = await world.ask("/api/v1/documents", { method: "POST", as: "mo", body });
    expect(json.files[0]).toMatchObject({ outcome: "taken", deduped_from: null });
  });

  it("hers cannot be converted by its hash over the general route", async () => {
    const { json } = await world.ask(`/api/v1/documents/${complete.id}`, { as: "mia" });
    const { sha256, bytes, mapping } = json;
    const body = { pipeline: "documents", version: 1, inputs: [{ name: "x.pdf", mapping, bytes, sha256 }] };
    for (const at of ["/api/v1/requests", "/api/v1/requests?dryRun=true"])
      for (const as of ["mo", "ann"] as const) {
        const { status, json: refused } = await world.ask(at, { method: "POST", as, body });
        expect([status, refused.code, refused.field]).toEqual([409, "REFUSED", "pipeline"]);
        expect(refused.detail).toMatch(/upload PDFs to POST \/api\/v1\/documents$/);
      }
  });

  it("nor is a copy made of what is hers, by herself either: it would come in past her uploads", async () => {
    const body = { from: "convert", as: "copy" };
    for (const as of ["mia", "ann"] as const) {
      const { status, json } = await world.ask(`/api/v1/items/${complete.id}/replay`, { method: "POST", as, body });
      expect([status, json.code]).toEqual([409, "REFUSED"]);
      expect(json.detail).toMatch(/upload PDFs to/);
    }
  });
});

describe("roles", () => {
  it("decide what a viewer may: all of reading, nothing else", async () => {
    expect((await world.ask(`/api/v1/documents/${complete.id}/download`, { as: "vic" })).status).toBe(200);
    for (const [method, at] of [
      ["POST", `/${failed.id}/retry`],
      ["DELETE", `/${failed.id}`],
    ] as const) {
      const { status, json } = await world.ask(`/api/v1/documents${at}`, { method, as: "vic" });
      expect([status, json.code]).toEqual([403, "FORBIDDEN"]);
    }
  });

  it("let an owner delete, and nothing of it is left in any list", async () => {
    const { id } = await upload("mia", "third");
    expect((await world.ask(`/api/v1/documents/${id}`, { method: "DELETE", as: "mia" })).status).toBe(200);
    expect((await world.ask(`/api/v1/documents/${id}`, { as: "mia" })).status).toBe(404);
    expect((await world.ask("/api/v1/documents?name=third", { as: "mia" })).json.entries).toEqual([]);
    await world.t.advance("10m");
    expect((await world.ask(`/api/v1/items/${id}`, { as: "mia" })).status).toBe(404);
  });
});

/** A body that each of them would take. */
function bodyFor(path: string): unknown {
  if (path.endsWith("/priority")) return { priority: 2 };
  if (path.endsWith("/replay")) return { from: "convert" };
  if (path.endsWith("/skip")) return { reason: "no" };
  if (path.endsWith("/choose")) return { release: "x" };
  return undefined;
}
