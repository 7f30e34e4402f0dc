import { createHash } from "node:crypto";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { closeServers, faultOf, serve } from "../../../test/support/loopback.ts";
import { transient } from "../../engine/index.ts";
import { guardedClient } from "./guarded-fetch.ts";

afterEach(closeServers);

const MEGABYTE = 1024 * 1024;

const nas = (baseUrl: string) =>
  guardedClient({ service: "nas", egress: "lan", baseUrl, limits: { requestBytes: 100 * MEGABYTE } });

function pieces(count: number, ended = () => {}) {
  return {
    byteLength: count * MEGABYTE,
    async *chunks() {
      try {
        for (let i = 0; i < count; i += 1) yield Buffer.alloc(MEGABYTE, i);
      } finally {
        ended();
      }
    },
  };
}

test("a streamed body arrives as it is, with its length", async () => {
  const url = await serve(async (request, response) => {
    const hash = createHash("sha256");
    for await (const chunk of request) hash.update(chunk as Buffer);
    response.end(`${request.headers["content-length"]} ${hash.digest("hex")}`);
  });
  const expected = createHash("sha256");
  for (let i = 0; i < 20; i += 1) expected.update(Buffer.alloc(MEGABYTE, i));
  const { body } = await nas(url).ok({ method: "POST", url: "", body: pieces(20) });
  expect(body.toString()).toBe(`${20 * MEGABYTE} ${expected.digest("hex")}`);
});

test("an answer that comes before all was sent is the answer, and what is read is closed", async () => {
  const { promise: closed, resolve: ended } = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    request.once("data", () => response.writeHead(413).end("too much"));
    request.on("error", () => undefined);
  });
  const answer = await nas(url).send({ method: "POST", url: "", body: pieces(90, ended) });
  expect(answer.status).toBe(413);
  await closed;
});

test("what cannot be read is what the request fails with, and the other side sees no whole one", async () => {
  const cut = Promise.withResolvers<void>();
  const url = await serve((request) => {
    request.resume();
    void once(request, "error").then(() => cut.resolve());
  });
  const changed = transient("SOURCE_CHANGED", "it became shorter");
  const body = {
    byteLength: 10 * MEGABYTE,
    async *chunks() {
      yield Buffer.alloc(MEGABYTE);
      throw changed;
    },
  };
  expect(await faultOf(nas(url).send({ method: "POST", url: "", body }))).toBe(changed);
  await cut.promise;
});

test("one that is larger than a request may be is not begun", async () => {
  const url = await serve((_, response) => void response.end());
  const fault = await faultOf(nas(url).send({ method: "POST", url: "", body: pieces(101) }));
  expect(fault).toMatchObject({ kind: "permanent", code: "REQUEST_TOO_LARGE" });
});
