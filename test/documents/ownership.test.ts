// A member can neither see, count, download, retry nor follow another's document, by any route: those of documents, those of items and
// requests, and the feed. The list of routes is the server's own, so that one more is looked at without anybody remembering it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";
import { type PretendDocuments, pretendDocuments, smallPdf, uploadForm } from "../support/pretend-documents.ts";

let world: AppWorld;
let pretended: PretendDocuments;
/** Of mia: one that is complete, and one that failed. */
let complete: { readonly id: string; readonly request: string };
let failed: { readonly id: string; readonly request: string };
const SECRET = "the-name-of-hers";

beforeAll(async () => {
  pretended = pretendDocuments();
  world = await openAppWorld([], { documents: pretended });
  complete = await upload("mia", "first");
  pretended.gateway.trouble("convert", { status: 422 });
  failed = await upload("mia", "second");
});
afterAll(() => world.close());

async function upload(as: Person, word: string) {
  const body = uploadForm([{ name: `${SECRET}-${word}.pdf`, content: smallPdf(`${as} ${word}`) }]);
  const { json } = await world.ask("/api/v1/documents", { method: "POST", as, body });
  await world.t.drain();
  return json.files[0].document as { readonly id: string; readonly request: string };
}

/** Routes about one item or one request, by what stands in braces. */
const ABOUT_ONE = /\{(item|request)\}/;

describe("to another member", () => {
  it("every route about one item or request says the same of hers as of one that never was", async () => {
    const routes = world.server.policies.filter(({ path }) => ABOUT_ONE.test(path) && !path.includes("/media/"));
    expect(routes.length).toBeGreaterThan(20);
    const seen = [];
    for (const { method, path } of routes) {
      const at = (id: string, request: string) => path.replace("{item}", id).replace("{request}", request);
      const body = method === "GET" || method === "DELETE" ? undefined : bodyFor(path);
      for (const { id, request } of [complete, failed]) {
        const theirs = await world.ask(at(id, request), { method, as: "mo", body });
        const nobodys = await world.ask(at("itm_0000009999999", "req_0000009999999"), { method, as: "mo", body });
        seen.push([method, path, theirs.status, theirs.json?.code]);
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
  return undefined;
}
