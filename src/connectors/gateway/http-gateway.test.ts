import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GrobidServer } from "../../../sandbox/documents/grobid-server.ts";
import { ScriptedGateway } from "../../../sandbox/documents/scripted-gateway.ts";
import type { ServerTrouble } from "../../../sandbox/media/little-server.ts";
import { InputError, manualClock } from "../../kit/index.ts";
import { gatewayContract } from "./gateway.contract.ts";
import { type HttpGatewayOptions, httpGateway } from "./http-gateway.ts";

const PDF = Buffer.from("%PDF-1.7 and so on");
let folder: string;
let server: ScriptedGateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "http-gateway-"));
  await writeFile(join(folder, "in.pdf"), PDF);
  server = new ScriptedGateway({ token: "secret" });
  await server.up();
});
afterEach(async () => {
  await server.down();
  await rm(folder, { recursive: true, force: true });
});

const client = (options: Partial<HttpGatewayOptions> = {}) =>
  httpGateway({ service: "gateway", baseUrl: server.url, token: "secret", ...options });
const order = (more = {}) => ({
  ...{ key: "item 1:ä", file: join(folder, "in.pdf"), name: "in.pdf", mapping: "layout" },
  output: join(folder, "out.part"),
  ...more,
});

describe("a gateway over HTTP", () => {
  it.each(gatewayContract)("keeps the contract: $name", async ({ run }) => {
    await run({
      ...{ client: client(), pdf: PDF, mapping: "layout", path: (name) => join(folder, name) },
      down: (isDown) => (isDown ? server.down() : server.up()),
      converted: (key) => server.world.truth().converted.get(key) ?? 0,
    });
  });

  it.each<[string, ServerTrouble, object]>([
    ["400", { status: 400 }, { kind: "permanent", code: "VALIDATION_ERROR", breaker: "success" }],
    ["404", { status: 404 }, { kind: "permanent", code: "VALIDATION_ERROR", breaker: "success" }],
    ["413", { status: 413 }, { kind: "permanent", code: "INPUT_TOO_LARGE", breaker: "success" }],
    ["415", { status: 415 }, { kind: "permanent", code: "UNSUPPORTED_TYPE", breaker: "success" }],
    ["422", { status: 422 }, { kind: "permanent", code: "PARSE_ERROR", breaker: "success" }],
    ["403", { status: 403 }, { kind: "unavailable", code: "AUTH", breaker: "open" }],
    ["408", { status: 408 }, { kind: "transient", code: "GW_TIMEOUT", breaker: "failure" }],
    ["429", { status: 429 }, { kind: "unavailable", code: "GW_RATE_LIMITED", breaker: "none", retryAfterMs: 60_000 }],
    ["500", { status: 500 }, { kind: "transient", code: "GW_FAILED", breaker: "failure" }],
    ["502", { status: 502 }, { kind: "transient", code: "GW_FAILED", breaker: "failure" }],
    ["503", { status: 503 }, { kind: "unavailable", code: "GW_UNAVAILABLE", breaker: "failure" }],
    [
      "503 with a wait",
      { status: 503, headers: { "retry-after": "7" } },
      { kind: "unavailable", code: "GW_BUSY", breaker: "none", retryAfterMs: 7_000 },
    ],
    ["504", { status: 504 }, { kind: "transient", code: "GW_TIMEOUT", breaker: "failure" }],
    ["507", { status: 507 }, { kind: "unavailable", code: "DISK_FULL", breaker: "none" }],
    ["a redirect", { status: 302, headers: { location: "/else" } }, { kind: "transient", code: "GW_BAD_ANSWER" }],
    ["an empty 200", { status: 200 }, { kind: "transient", code: "GW_BAD_XML", breaker: "failure" }],
    ["204", { status: 204 }, { kind: "transient", code: "GW_BAD_ANSWER" }],
    ["a web page", "web-page", { kind: "transient", code: "GW_WEB_PAGE", breaker: "failure" }],
    ["XML by half", "by-half", { kind: "transient", code: "GW_TRUNCATED", breaker: "failure" }],
    ["XML cut off", "cut-off", { kind: "transient", code: "GW_TRUNCATED", breaker: "failure" }],
    ["too short a length", "too-short-a-length", { kind: "transient", code: "GW_TRUNCATED", breaker: "failure" }],
    ["a line that breaks", "reset", { kind: "transient", code: "GW_RESET", breaker: "failure" }],
    ["what is no XML", { status: 200, body: "done" }, { kind: "transient", code: "GW_BAD_XML" }],
    [
      "an entity",
      { status: 200, body: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
      { kind: "transient", code: "GW_BAD_XML" },
    ],
  ])("%s is its own fault, and leaves no file", async (_, trouble, expected) => {
    server.troubles.push(trouble);
    await expect(client().convert(order())).rejects.toMatchObject(expected);
    expect(existsSync(order().output)).toBe(false);
    expect((await client().convert(order())).pages).toBe(1);
  });

  it("too much XML is not taken in", async () => {
    server.troubles.push({ status: 200, body: `<a>${"x".repeat(2_000)}</a>` });
    await expect(client({ mostXmlBytes: 1_000 }).convert(order())).rejects.toMatchObject({
      code: "GW_ANSWER_TOO_LARGE",
    });
    await expect(client({ mostPdfBytes: 1 }).convert(order({ file: await large() }))).rejects.toMatchObject({
      ...{ kind: "permanent", code: "INPUT_TOO_LARGE" },
    });
    expect(existsSync(order().output)).toBe(false);
  });

  it("one that hangs is given up when its time is over", async () => {
    server.troubles.push("silent");
    const clock = manualClock();
    const going = client({ timeoutMs: 180_000, clock }).convert(order());
    const ended = expect(going).rejects.toMatchObject({ kind: "transient", code: "GW_TIMEOUT", breaker: "failure" });
    await expect.poll(() => server.requests).toHaveLength(1);
    await clock.advance(180_000);
    await ended;
    expect(existsSync(order().output)).toBe(false);
  });

  it("a status means what it is known to mean at this one", async () => {
    const known = client({ statuses: { 502: "PARSE_ERROR", 422: "GW_FAILED" } });
    server.troubles.push({ status: 502 }, { status: 422 });
    await expect(known.convert(order())).rejects.toMatchObject({ kind: "permanent", code: "PARSE_ERROR" });
    await expect(known.convert(order())).rejects.toMatchObject({ kind: "transient", code: "GW_FAILED" });
    expect(() => client({ statuses: { 502: "WHATEVER" } })).toThrow(InputError);
    expect(() => client({ statuses: { teapot: "PARSE_ERROR" } })).toThrow(InputError);
  });

  it("a code that it declares counts more than its status", async () => {
    server.world.refuse("item 1:ä", "PASSWORD_PROTECTED");
    await expect(client().convert(order())).rejects.toMatchObject({ kind: "permanent", code: "PASSWORD_PROTECTED" });
    expect(server.world.truth().asked.get("item 1:ä")).toBe(1);
  });

  it("a file that changes while it is sent is nobody's fault", async () => {
    const file = await large();
    // Between the look at its length and the first byte.
    const resolve = async () => {
      await truncate(file, 10);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const named = server.url.replace("127.0.0.1", "localhost");
    const going = client({ baseUrl: named, resolve }).convert(order({ file }));
    await expect(going).rejects.toMatchObject({ kind: "transient", code: "SOURCE_CHANGED", breaker: "none" });
  });

  it("one whose health cannot be asked is not able to work", async () => {
    server.troubles.push({ status: 404 }, { status: 500 }, { status: 200, body: "OK" });
    await expect(client().about()).rejects.toMatchObject({ kind: "unavailable", code: "GW_UNAVAILABLE" });
    await expect(client().about()).rejects.toMatchObject({ kind: "transient", code: "GW_FAILED" });
    expect(await client().about()).toEqual({ name: "gateway", version: "unknown", mappings: null });
  });

  it("a disk that is full here is waited for, and no trouble of the gateway", async () => {
    // A link: what is at the output is removed, and the device is everybody's.
    await symlink("/dev/full", order().output);
    const isFull = { kind: "unavailable", code: "DISK_FULL", breaker: "none" };
    await expect(client().convert(order())).rejects.toMatchObject(isFull);
    expect(existsSync(order().output)).toBe(false);
  });
});

async function large(): Promise<string> {
  const file = join(folder, "large.pdf");
  await writeFile(file, Buffer.concat([PDF, Buffer.alloc(30 * 1024 * 1024)]));
  return file;
}

describe("GROBID", () => {
  const grobid = new GrobidServer();
  beforeEach(() => grobid.up());
  afterEach(() => grobid.down());
  const tei = () => httpGateway({ service: "grobid", baseUrl: grobid.url, preset: "grobid" });

  it("is asked in its own words", async () => {
    expect(await tei().about()).toEqual({
      ...{ name: "grobid", version: "0.8.2", mappings: ["fulltext", "header", "references"] },
    });
    await tei().convert(order({ mapping: "header", name: "../Ä.pdf" }));
    expect(await readFile(order().output, "utf8")).toContain("http://www.tei-c.org/ns/1.0");
    expect(grobid.converted.at(-1)).toEqual({ path: "/api/processHeaderDocument", filename: "Ä.pdf" });
    await expect(tei().convert(order({ mapping: "layout" }))).rejects.toMatchObject({ code: "INVALID_MAPPING" });
  });

  it.each<[string, ServerTrouble, object]>([
    ["no engine free", { status: 503 }, { kind: "unavailable", code: "GW_BUSY", breaker: "none", retryAfterMs: 5_000 }],
    ["nothing in it", { status: 204 }, { kind: "permanent", code: "NO_CONTENT", breaker: "success" }],
    [
      "only pictures",
      { status: 500, body: "[NO_BLOCKS] PDF contains no text" },
      { kind: "permanent", code: "NO_CONTENT" },
    ],
    ["too long", { status: 500, body: "[TOO_MANY_TOKENS] …" }, { kind: "permanent", code: "TOO_COMPLEX" }],
    ["its own trouble", { status: 500, body: "[GENERAL] An exception" }, { kind: "transient", code: "GW_FAILED" }],
    ["words that look like it", { status: 500, body: "see [NO_BLOCKS]" }, { kind: "transient", code: "GW_FAILED" }],
  ])("%s", async (_, trouble, expected) => {
    grobid.troubles.push(trouble);
    await expect(tei().convert(order({ mapping: "fulltext" }))).rejects.toMatchObject(expected);
  });

  it("what it cannot read is refused for good, although it says 500", async () => {
    await writeFile(order().file, "no PDF");
    await expect(tei().convert(order({ mapping: "fulltext" }))).rejects.toMatchObject({
      ...{ kind: "permanent", code: "PARSE_ERROR" },
    });
  });
});
