// The contract on `sluice gateway` in its own process, with each of the two that can read a PDF; and what only it can be asked.

import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportPdf } from "../../sandbox/documents/pdfs.ts";
import { gatewayContract } from "../../src/connectors/index.ts";
import { GatewayProcess } from "../support/gateway-process.ts";
import { processesWith } from "../support/real-encoder-world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-gateway-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);

describe.each(["poppler", "pdfjs"])("read by %s", (reader) => {
  const home = mkdtempSync(join(tmpdir(), "sluice-gateway-"));
  const gateway = new GatewayProcess(home, "--reader", reader, "--log-level", "silent");
  beforeAll(() => gateway.start());
  afterAll(async () => {
    await gateway.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test.each(gatewayContract)("$name", async ({ run }) => {
    await run({
      client: gateway.client(),
      pdf: reportPdf(),
      mapping: "layout",
      path,
      down: (isDown) => (isDown ? gateway.kill() : gateway.start()),
      converted: () => null,
    });
    // Nothing is left of what was converted.
    await expect.poll(() => readdirSync(join(home, ".sluice-gateway", "work"))).toEqual([]);
  });

  test("its health says the same as its first line of what is not in force", async () => {
    const headers = { authorization: `Bearer ${gateway.token}` };
    const health = (await (await fetch(`${gateway.url}health`, { headers })).json()) as Record<string, unknown>;
    const { notInForce, hasNoNetwork } = gateway.told;
    expect(health).toMatchObject({ notInForce, network: hasNoNetwork ? "none" : "shared" });
    expect(notInForce.includes("network")).toBe(!hasNoNetwork);
  });

  test("a stranger is told nothing", async () => {
    const stranger = gateway.client({ token: "guessed" });
    await expect(stranger.about()).rejects.toMatchObject({ kind: "unavailable", code: "AUTH", breaker: "open" });
  });

  test.each(["//", "http://[", "*"])("a stranger who asks for %s ends nothing", async (place) => {
    const { hostname, port } = new URL(gateway.url);
    const asked = request({ hostname, port, path: place }).end();
    const [answer] = await once(asked, "response");
    expect(answer.statusCode).toBe(401);
    answer.resume();
    expect((await gateway.client().about()).name).toBe("sluice-gateway");
  });
});

describe("one at a time", () => {
  let gateway: GatewayProcess;
  beforeEach(async () => {
    gateway = new GatewayProcess(path("home"), "--at-once", "1", "--max-pdf", "1", "--log-level", "silent");
    await gateway.start();
    writeFileSync(path("in.pdf"), reportPdf());
  });
  afterEach(() => gateway.stop());

  const order = (output = "out") => ({
    ...{ key: "a", file: path("in.pdf"), name: "in.pdf", mapping: "layout", output: path(output) },
  });

  test("who comes while it is in use is told when to come again, and nobody's breaker hears of it", async () => {
    const client = gateway.client();
    const { hand } = await hold(gateway);
    await expect(client.convert(order())).rejects.toMatchObject({
      ...{ kind: "unavailable", code: "GW_BUSY", breaker: "none", retryAfterMs: 3_000 },
    });
    // Health is asked of it all the same.
    expect((await client.about()).name).toBe("sluice-gateway");
    hand.abort();
    await expect
      .poll(() =>
        client.convert(order()).then(
          ({ pages }) => pages,
          () => 0,
        ),
      )
      .toBe(3);
  });

  test("too large a file is refused for good, whether it says so or not", async () => {
    writeFileSync(path("in.pdf"), Buffer.concat([reportPdf(), Buffer.alloc(2 * 1024 * 1024)]));
    await expect(gateway.client().convert(order())).rejects.toMatchObject({
      kind: "permanent",
      code: "INPUT_TOO_LARGE",
    });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-'),
        );
        for (let i = 0; i < 30; i += 1) controller.enqueue(Buffer.alloc(100_000));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${gateway.token}`, "content-type": "multipart/form-data; boundary=x" };
    const answer = await fetch(`${gateway.url}process`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit); // a stream needs the last
    expect(answer.status).toBe(413);
  });

  test.each([
    ["no form", "text/plain", "hello"],
    [
      "a form without an end",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.7',
    ],
    ["a form that begins with something else", "multipart/form-data; boundary=x", "y".repeat(10_000)],
    ["a part without a name", "multipart/form-data; boundary=x", "--x\r\nContent-Type: a/b\r\n\r\n--x--\r\n"],
    ["headers without an end", "multipart/form-data; boundary=x", `--x\r\n${"z".repeat(10_000)}`],
  ])("%s is a 400", async (_, type, body) => {
    const headers = { authorization: `Bearer ${gateway.token}`, "content-type": type };
    const answer = await fetch(`${gateway.url}process`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: "VALIDATION_ERROR" } }]);
  });

  test("a second one on its folder is told that there is one", async () => {
    await expect(new GatewayProcess(path("home"), "--log-level", "silent").start()).rejects.toThrow(
      /is the gateway of/,
    );
  });

  test("killed in the middle, it leaves no reader behind, and its next life nothing of the last one's files", async () => {
    await hold(gateway);
    const work = join(path("home"), ".sluice-gateway", "work");
    expect(readdirSync(work)).toHaveLength(1);
    await gateway.kill();
    await gateway.start();
    expect(readdirSync(work)).toEqual([]);
    expect(processesWith(work)).toEqual([]);
    expect(existsSync(path("out"))).toBe(false);
  });
});

/** Has a conversion in hand for as long as it is wanted: a form that does not go on. Resolves when the gateway has taken it. */
async function hold(gateway: GatewayProcess): Promise<{ readonly hand: AbortController }> {
  const hand = new AbortController();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.7\n'),
      );
    },
  });
  const headers = { authorization: `Bearer ${gateway.token}`, "content-type": "multipart/form-data; boundary=x" };
  const going = fetch(`${gateway.url}process`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
    signal: hand.signal,
  } as RequestInit); // a stream needs it
  going.catch(() => undefined);
  await expect.poll(() => readdirSync(join(gateway.folder, ".sluice-gateway", "work")).length).toBe(1);
  return { hand };
}
