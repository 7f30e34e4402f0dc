// What an upload meets before a byte of it is read, over HTTP: too many, too many open, no room; and addresses that are fetched.

import { afterEach, describe, expect, it } from "vitest";
import type { DocumentLimits, FetchOptions } from "../../src/apps/documents/index.ts";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";
import { closeServers, serve } from "../support/loopback.ts";
import { pretendDocuments, smallPdf, uploadForm } from "../support/pretend-documents.ts";

let world: AppWorld;
afterEach(async () => {
  closeServers();
  await world.close();
});

async function open(limits: Partial<DocumentLimits>, fetching: FetchOptions = {}) {
  const documents = pretendDocuments(limits, undefined, fetching);
  world = await openAppWorld([], { documents });
  return documents;
}

const upload = (as: "mia" | "mo" = "mia") =>
  world.ask("/api/v1/documents", {
    ...{ method: "POST", as, body: uploadForm([{ name: "a.pdf", content: smallPdf() }]) },
  });
const fetched = (...urls: string[]) => world.ask("/api/v1/documents", { method: "POST", as: "mia", body: { urls } });

describe("an upload", () => {
  it("too many in a minute is told when to come again, and others' are not counted", async () => {
    await open({ uploadsPerMinute: 2 });
    expect([(await upload()).status, (await upload()).status]).toEqual([201, 201]);
    const third = await upload();
    expect([third.status, third.json.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await upload("mo")).status).toBe(201);
  });

  it("with too many that are not converted yet is told so, until they are", async () => {
    const { gateway } = await open({ openMost: 2 });
    gateway.down();
    expect([(await upload()).status, (await upload()).status]).toEqual([201, 201]);
    const third = await upload();
    expect([third.status, third.json.code]).toEqual([429, "RATE_LIMITED"]);
    expect(third.json.detail).toMatch(/2 documents that are not converted yet/);
    expect((await upload("mo")).status).toBe(201);
    gateway.down(false);
    await world.t.advance("5m");
    expect((await upload()).status).toBe(201);
  });

  it("without room on the disk is refused in a sentence, and what is there can be read", async () => {
    await open({ freeBytes: Number.MAX_SAFE_INTEGER });
    const { status, json } = await upload();
    expect([status, json.code]).toEqual([507, "IO_ERROR"]);
    expect(json.detail).toMatch(/disk is nearly full, so nothing can be uploaded/);
    expect((await world.ask("/api/v1/documents", { as: "mia" })).status).toBe(200);
  });
});

describe("an address", () => {
  it("is fetched, named after its last part, and converted", async () => {
    await open({}, { egress: "lan" });
    const pdf = smallPdf();
    const at = await serve((_, response) => response.writeHead(200, { "content-type": "application/pdf" }).end(pdf));
    const { status, json } = await fetched(`${at}/papers/a%20letter.pdf?x=1`);
    expect(status).toBe(201);
    expect(json.files[0]).toMatchObject({ outcome: "taken", document: { name: "a letter.pdf", bytes: pdf.length } });
    await world.t.drain();
    const { json: document } = await world.ask(`/api/v1/documents/${json.files[0].document.id}`, { as: "mia" });
    expect(document).toMatchObject({ status: "complete" });
  });

  it("that has no PDF, too large a one or nothing is refused, each for itself", async () => {
    await open({ fileBytes: 1_000 }, { egress: "lan" });
    const at = await serve((request, response) => {
      if (request.url === "/page") return void response.end("<html>");
      if (request.url === "/large") return void response.end(Buffer.concat([smallPdf(), Buffer.alloc(5_000)]));
      if (request.url === "/good.pdf") return void response.end(smallPdf());
      response.writeHead(404).end();
    });
    const { json } = await fetched(`${at}/page`, `${at}/large`, `${at}/none`, `${at}/good.pdf`);
    const told = json.files.map((one: { outcome: string; code: string | null }) => [one.outcome, one.code]);
    expect(told).toEqual([
      ...[
        ["refused", "NOT_PDF"],
        ["refused", "TOO_LARGE"],
        ["refused", "IO_ERROR"],
      ],
      ["taken", null],
    ]);
    // Nothing of it has to do with the disk.
    expect(json.files[2]).toMatchObject({
      ...{
        sentence: expect.stringMatching(/could not be fetched from its address/),
        advice: expect.stringMatching(/^Download it yourself/),
      },
    });
  });

  it("that is not public is refused, and nobody is asked there", async () => {
    await open({});
    for (const host of ["127.0.0.1:9", "[::1]:9", "10.0.0.1", "192.168.1.1", "169.254.169.254"]) {
      const { status, json } = await fetched(`http://${host}/x.pdf`);
      expect([host, status, json.code]).toEqual([host, 507, "IO_ERROR"]);
      expect(json.detail).toMatch(/only public ones are fetched/);
    }
  });

  it("says the same of a name that there is not and of one that leads inside", async () => {
    const inside: Record<string, string> = { "wiki.internal": "10.0.0.7", "meta.internal": "169.254.169.254" };
    const resolve = async (host: string) => {
      const address = inside[host];
      if (address !== undefined) return [{ address, family: 4 }];
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
    };
    await open({}, { resolve });
    const said = [];
    for (const host of ["wiki.internal", "meta.internal", "none.internal", "10.0.0.7"]) {
      const { status, json } = await fetched(`http://${host}/x.pdf`);
      said.push([status, json.code, json.detail, json.advice]);
    }
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(JSON.stringify(said)).not.toMatch(/internal|10\.0|resolve/);
  });
});
