// Documents against a gateway that fails in every way there is, over HTTP and on real processes.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedGateway } from "../../sandbox/documents/scripted-gateway.ts";
import type { ServerTrouble } from "../../sandbox/media/little-server.ts";
import type { DocumentAbout } from "../../src/server/contract/wire.ts";
import { smallPdf } from "../support/pretend-documents.ts";
import { until } from "../support/until.ts";
import { DocumentsUp } from "./up-world.ts";

const gateway = new ScriptedGateway();
let world: DocumentsUp;
beforeAll(async () => {
  await gateway.up();
  // One after the other, so that a trouble is the next document's.
  world = new DocumentsUp({ GATEWAY_URL: gateway.url, GATEWAY_TIMEOUT_MS: "15000", GATEWAY_CONCURRENCY: "1" });
  await world.up();
});
afterAll(async () => {
  await world.close();
  await gateway.down();
});

const upload = async () => (await world.upload({ name: "x.pdf", content: smallPdf() }))[0]?.id ?? "";

/** The codes of the tries that were spent. */
async function retriesOf(id: string): Promise<(string | undefined)[]> {
  type Events = { entries: { type: string; meta: { code?: string } }[] };
  const { entries } = await world.json<Events>("GET", `/documents/${id}/events`);
  return entries.filter(({ type }) => type === "retry").map(({ meta }) => meta.code);
}

describe("what the gateway answers", () => {
  it.each<[string, ServerTrouble, string]>([
    ["400", { status: 400 }, "GW_4XX"],
    ["413", { status: 413 }, "GW_4XX"],
    ["415", { status: 415 }, "GW_4XX"],
  ])("%s: failed at once, with %s", async (_, trouble, code) => {
    gateway.troubles.push(trouble);
    expect(await world.ended(await upload())).toMatchObject({ status: "failed", attemptCount: 1, error: { code } });
  });

  it.each<[string, ServerTrouble, string]>([
    ["502", { status: 502 }, "GW_5XX"],
    ["silence", "silent", "GW_TIMEOUT"],
    ["a reset", "reset", "GW_5XX"],
    ["half an answer", "by-half", "GW_5XX"],
    ["a line cut off", "cut-off", "GW_5XX"],
    ["a length that lies", "too-short-a-length", "GW_5XX"],
    ["a web page", "web-page", "GW_5XX"],
  ])("%s: tried again, and then complete", async (_, trouble, code) => {
    gateway.troubles.push(trouble);
    const id = await upload();
    expect(await world.ended(id)).toMatchObject({ status: "complete", error: null });
    expect(await retriesOf(id)).toEqual([code]);
    expect(await world.read(id)).toMatchObject({ attemptCount: 2 });
  });

  it("503 with Retry-After: waited for as told, without an attempt", async () => {
    gateway.troubles.push({ status: 503, headers: { "retry-after": "1" } });
    const id = await upload();
    expect(await world.ended(id)).toMatchObject({ status: "complete" });
    expect(await retriesOf(id)).toEqual([]);
    expect(await world.read(id)).toMatchObject({ attemptCount: 1 });
  });

  it("nothing for a while: the documents stay queued, everybody is told, and it goes on by itself", async () => {
    await gateway.down();
    const ids = [];
    for (let each = 0; each < 8; each += 1) ids.push(await upload());
    const about = () => world.json<DocumentAbout>("GET", "/documents/about");
    await until(async () => (await about()).banner !== null, "the banner");
    expect((await about()).banner).toBe("Converter busy — jobs will resume automatically.");
    for (const id of ids) expect(await world.read(id)).toMatchObject({ attemptCount: 0, finishedAt: null });
    await gateway.up();
    for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: "complete", attemptCount: 1 });
    expect((await about()).banner).toBeNull();
  });
});

describe("a worker that is told to stop", () => {
  it("hands back what it cannot finish, and spends no attempt", async () => {
    const goOn = gateway.world.hold();
    const id = await upload();
    await until(async () => (await world.read(id)).status === "processing", "work on it");
    await world.process.end("SIGTERM");
    goOn();
    await world.up();
    expect(await world.ended(id)).toMatchObject({ status: "complete", attemptCount: 1 });
  });
});
