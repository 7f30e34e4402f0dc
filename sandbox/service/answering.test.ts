import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering } from "./answering.ts";
import { scriptOf } from "./faults.ts";

let server: Server;
let handled = 0;

beforeAll(async () => {
  server = await answering(
    0,
    () => scriptOf([]),
    ({ body }) => {
      handled += 1;
      return { status: 200, json: { body } };
    },
  );
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

interface Sent {
  readonly host?: string;
  readonly body?: string;
  readonly isWhole?: boolean;
}

async function send({ host, body = "", isWhole = true }: Sent): Promise<{ status: number | undefined; body: string }> {
  const { port } = server.address() as AddressInfo;
  const asked = request({ host: "127.0.0.1", port, method: "POST", headers: { host: host ?? `127.0.0.1:${port}` } });
  asked.write(body);
  if (isWhole) asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const told = { status: answer.statusCode, body: await text(answer) };
  asked.destroy();
  return told;
}

describe("a small service", () => {
  it("answers who calls it by an address of this machine", async () => {
    expect(await send({ body: "[1]" })).toEqual({ status: 200, body: '{"body":[1]}' });
    expect((await send({ host: "localhost" })).status).toBe(200);
  });

  it.each(["films.example", "films.example:80", "127.0.0.1.films.example"])(
    "refuses one that was led here by the name %j",
    async (host) => {
      const before = handled;
      expect((await send({ host })).status).toBe(421);
      expect(handled).toBe(before);
    },
  );

  it("refuses what is no JSON", async () => {
    expect((await send({ body: "{" })).status).toBe(400);
  });

  it("refuses what is too long as soon as it is, and does not wait for the rest", async () => {
    const before = handled;
    expect((await send({ body: "1".repeat(100_001), isWhole: false })).status).toBe(413);
    expect(handled).toBe(before);
  });
});
