// What an upload meets before a byte of it is read, over HTTP: too many, too many open or under way, no room; and addresses that are fetched.

import { afterEach, describe, expect, it } from "vitest";
import { arrive, type DocumentLimits, type FetchOptions } from "../../src/apps/documents/index.ts";
import { type Clock, systemClock } from "../../src/kit/index.ts";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";
import { closeServers, serve } from "../support/loopback.ts";
import { type Disk, pretendDocuments, smallPdf, uploadForm } from "../support/pretend-documents.ts";

let world: AppWorld;
afterEach(async () => {
  closeServers();
  await world.close();
});

async function open(limits: Partial<DocumentLimits>, fetching: FetchOptions = {}, how: { clock?: Clock } & Disk = {}) {
  const { clock, ...disk } = how;
  const documents = pretendDocuments(limits, clock, fetching, disk);
  world = await openAppWorld([], { documents });
  return documents;
}

const upload = (as: "mia" | "mo" = "mia") =>
  world.ask("/api/v1/documents", {
    ...{ method: "POST", as, body: uploadForm([{ name: "a.pdf", content: smallPdf() }]) },
  });
const BOUNDARY = "a-line-between";

/** A form whose only file goes on for as long as it is kept open. */
function slowUpload() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => writer.write(Buffer.from(text));
  const headers = { host: "localhost:3000", origin: "http://localhost:3000", cookie: world.cookieOf("mia") };
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const asked = {
    method: "POST",
    headers: { ...headers, "content-type": type },
    body: readable,
    duplex: "half",
  } as const;
  const answer = world.server.app.request("/api/v1/documents", asked);
  const begin = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n%PDF-1.4 slow\n`;
  return {
    /** Resolves when some of it was read. */
    begun: write(begin).then(() => write("%")),
    async end() {
      await write(`\r\n--${BOUNDARY}--\r\n`);
      await writer.close();
      return await answer;
    },
  };
}

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

  it("beside too many of one's own is told so until one of them is over, and others' are not counted", async () => {
    await open({ uploadsAtOnce: 1 });
    const slow = slowUpload();
    await slow.begun;
    const second = await upload();
    expect([second.status, second.json.code]).toEqual([429, "RATE_LIMITED"]);
    expect(second.json.detail).toMatch(/^mia has 1 uploads under way; try again in 5 s$/);
    expect((await upload("mo")).status).toBe(201);
    expect((await slow.end()).status).toBe(201);
    expect((await upload()).status).toBe(201);
  });

  it("that only asks what would be counts as one: it is read, and addresses are fetched", async () => {
    let asked = 0;
    await open({ uploadsPerMinute: 2 }, { egress: "lan" });
    const at = await serve((_, response) => {
      asked += 1;
      response.end(smallPdf());
    });
    const dry = () =>
      world.ask("/api/v1/documents?dryRun=true", { method: "POST", as: "mia", body: { urls: [`${at}/a.pdf`] } });
    expect([(await dry()).status, (await dry()).status, (await dry()).status]).toEqual([200, 200, 429]);
    expect(asked).toBe(2);
  });

  it("has room kept for it while it comes: what would not fit beside it is refused in the same sentence", async () => {
    await open({ fileBytes: 1_000, freeBytes: 5_000 }, {}, { freeIn: async () => 6_500 });
    const app = world.ports.documents;
    if (app === undefined) throw new Error("there are no documents");
    const slow = slowUpload();
    await slow.begun;
    const { status, json } = await upload("mo");
    expect([status, json.code, json.detail]).toEqual([507, "IO_ERROR", expect.stringMatching(/disk is nearly full/)]);
    // One that cannot be large fits in beside it.
    const small = async function* () {
      yield { name: "small.pdf", content: ReadableStream.from([smallPdf()]), mostBytes: 500 };
    };
    expect(await arrive({ ...app, tables: world.t.sluice.tables }, small(), false)).toMatchObject([
      { name: "small.pdf" },
    ]);
    expect((await slow.end()).status).toBe(201);
    expect((await upload("mo")).status).toBe(201);
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

  it("among several is fetched beside others, four at a time", async () => {
    await open({}, { egress: "lan" });
    const waiting: (() => void)[] = [];
    let most = 0;
    // Nobody is answered before there are four of them, and with the last ones nobody waits.
    const at = await serve((request, response) => {
      waiting.push(() => response.end(smallPdf(request.url ?? "")));
      most = Math.max(most, waiting.length);
      if (waiting.length === 4 || Number(request.url?.slice(1)) >= 8) for (const answer of waiting.splice(0)) answer();
    });
    const { status, json } = await fetched(...Array.from({ length: 10 }, (_, each) => `${at}/${each}`));
    expect(status).toBe(201);
    const names = json.files.map((one: { name: string; outcome: string }) => `${one.name} ${one.outcome}`);
    expect(names).toEqual(Array.from({ length: 10 }, (_, each) => `${each} taken`));
    expect(most).toBe(4);
  });

  it("for which no time is left is turned away in words, and the others are taken", async () => {
    let now = 0;
    // A minute with every look: ninety seconds are over after the first.
    const clock = { ...systemClock, monotonic: () => (now += 60_000) };
    await open({}, { egress: "lan" }, { clock });
    const at = await serve((_, response) => response.end(smallPdf()));
    const { json } = await fetched(`${at}/a.pdf`, `${at}/b.pdf`);
    expect(json.files).toMatchObject([{ outcome: "taken" }, { outcome: "refused", code: "IO_ERROR" }]);
    expect(json.files[1].sentence).toMatch(/There was no time left for it; upload it by itself\.$/);
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
