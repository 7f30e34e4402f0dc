import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DoclingServer } from "../../../sandbox/documents/docling-server.ts";
import { doclingJobs } from "./docling.ts";
import { XmlCheck } from "./xml-check.ts";

let folder: string;
let server: DoclingServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "docling-"));
  await writeFile(join(folder, "in.pdf"), "%PDF-1.7 and so on");
  server = new DoclingServer({ apiKey: "secret" });
  await server.up();
});
afterEach(async () => {
  await server.down();
  await rm(folder, { recursive: true, force: true });
});

const client = (apiKey = "secret") => doclingJobs({ service: "docling", baseUrl: server.url, apiKey });
const source = (mapping = "document", key = "a") => ({ key, file: join(folder, "in.pdf"), name: "in.pdf", mapping });
const output = () => join(folder, "out.part");

it("a job is started, looked at, and fetched once, as XML", async () => {
  const jobs = client();
  expect(await jobs.about()).toEqual({
    ...{ name: "docling-serve", version: "1.9.0", mappings: ["document", "doctags", "markdown"] },
  });
  const ref = await jobs.start(source());
  expect(await jobs.adopt("a")).toBe(ref);
  expect(await jobs.adopt("b")).toBeNull();
  expect(await jobs.look([ref, "document:unknown", "no ref"])).toEqual([
    { ref, state: "queued" },
    { ref: "document:unknown", state: "missing" },
    { ref: "no ref", state: "missing" },
  ]);
  server.tick();
  expect((await jobs.look([ref]))[0]?.state).toBe("running");
  server.tick();
  expect((await jobs.look([ref]))[0]?.state).toBe("done");
  const { bytes, pages } = await jobs.fetch(ref, output());
  const xml = await readFile(output(), "utf8");
  expect([Buffer.byteLength(xml), pages]).toEqual([bytes, 1]);
  expect(xml.split("\n").slice(1, -1)).toEqual([
    '<document xmlns="urn:sluice:docling:1" version="1" mapping="document" status="success">',
    '<page number="1" width="595" height="842"/>',
    '<text label="section_header" level="1" page="1" left="50" top="700" right="200" bottom="688" origin="BOTTOMLEFT">First &lt;of&gt; all</text>',
    '<text label="text" page="1" left="50" top="700" right="200" bottom="688" origin="BOTTOMLEFT">second\uFFFD</text>',
    '<table label="table" page="1" left="50" top="700" right="200" bottom="688" origin="BOTTOMLEFT">',
    '<cell row="0" column="0" rows="1" columns="2" header="true">A &amp; B</cell>',
    "</table>",
    "</document>",
  ]);
  await expect(jobs.fetch(ref, output())).rejects.toMatchObject({
    kind: "transient",
    code: "JOB_GONE",
    breaker: "success",
  });
  expect(existsSync(output())).toBe(false);
});

it.each(["doctags", "markdown"])("%s are text in XML", async (mapping) => {
  const jobs = client();
  const ref = await jobs.start(source(mapping));
  server.tick();
  server.tick();
  await jobs.fetch(ref, output());
  const check = new XmlCheck();
  check.push(await readFile(output()));
  check.end();
});

it("what it cannot convert, what it forgot, and who it does not know", async () => {
  const jobs = client();
  await expect(jobs.start(source("layout"))).rejects.toMatchObject({ kind: "permanent", code: "INVALID_MAPPING" });
  await writeFile(source().file, "no PDF");
  const bad = await jobs.start(source());
  server.tick();
  server.tick();
  const [seen] = await jobs.look([bad]);
  expect([seen?.state, seen?.fault?.code, seen?.fault?.breaker]).toEqual(["failed", "GW_FAILED", "success"]);
  server.forget();
  expect((await jobs.look([bad]))[0]?.state).toBe("missing");
  await expect(client("guessed").start(source())).rejects.toMatchObject({ code: "AUTH", breaker: "open" });
  expect(await jobs.cancel(bad)).toBe(true);
});

it("what is given up is waited for, and its result is thrown away, so that nothing stays there", async () => {
  const jobs = client();
  const [ref, other] = [await jobs.start(source()), await jobs.start(source("document", "b"))];
  expect([await jobs.cancel(ref), await jobs.cancel("no ref")]).toEqual([false, true]);
  server.tick();
  expect(await jobs.cancel(ref)).toBe(false);
  server.tick();
  expect(await jobs.cancel(ref)).toBe(true);
  expect(server.fetched).toEqual([ref.split(":")[1]]);
  expect(await jobs.cancel(ref)).toBe(true);
  // Another's is left alone.
  expect((await jobs.fetch(other, output())).pages).toBe(1);
});

it("what is given up and does not end is forgotten after an hour", async () => {
  let now = 0;
  const jobs = doclingJobs({ service: "docling", baseUrl: server.url, apiKey: "secret", now: () => now });
  const ref = await jobs.start(source());
  expect(await jobs.cancel(ref)).toBe(false);
  now = 3_599_000;
  expect(await jobs.cancel(ref)).toBe(false);
  now = 3_600_000;
  expect(await jobs.cancel(ref)).toBe(true);
  expect(server.fetched).toEqual([]);
});

it("down, busy and lying, it is told so", async () => {
  const jobs = client();
  const ref = await jobs.start(source());
  server.troubles.push({ status: 503, headers: { "retry-after": "2" } }, { status: 200, body: "{}" }, "web-page");
  await expect(jobs.look([ref])).rejects.toMatchObject({ kind: "unavailable", code: "GW_BUSY", retryAfterMs: 2_000 });
  await expect(jobs.look([ref])).rejects.toMatchObject({ kind: "transient", code: "GW_BAD_ANSWER" });
  await expect(jobs.fetch(ref, output())).rejects.toMatchObject({ kind: "transient", code: "GW_BAD_ANSWER" });
  await server.down();
  const isDown = { kind: "unavailable", code: "GW_UNAVAILABLE", breaker: "failure" };
  await expect(jobs.about()).rejects.toMatchObject(isDown);
  await expect(jobs.start(source())).rejects.toMatchObject(isDown);
  await expect(jobs.look([ref])).rejects.toMatchObject(isDown);
});
