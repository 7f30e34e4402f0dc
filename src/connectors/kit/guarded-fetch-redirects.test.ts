import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { closeServers, faultOf, serve } from "../../../test/support/loopback.ts";
import { type GuardedClientOptions, guardedClient } from "./guarded-fetch.ts";

afterEach(closeServers);

const client = (baseUrl: string, options: Partial<GuardedClientOptions> = {}) =>
  guardedClient({ service: "nas", egress: "lan", baseUrl, ...options });

describe("redirects", () => {
  async function world() {
    const seen: string[] = [];
    const note = (request: IncomingMessage) => seen.push(`${request.url} ${request.headers.authorization ?? "-"}`);
    const other = await serve((request, response) => {
      note(request);
      response.end("there");
    });
    const first = await serve((request, response) => {
      note(request);
      const to = { "/here": "/end", "/away": `${other}/end`, "/loop": "/loop" }[request.url ?? ""];
      if (to === undefined) response.end("here");
      else response.writeHead(302, { location: to }).end();
    });
    return { first, seen };
  }
  const headers = { authorization: "secret" };

  test("are a fault unless asked for", async () => {
    const { first, seen } = await world();
    expect(await faultOf(client(first).send({ url: "here" }))).toMatchObject({ kind: "transient", code: "REDIRECTED" });
    expect(seen).toEqual(["/here -"]);
  });

  test("are an answer like any other, where each is looked at before", async () => {
    const { first, seen } = await world();
    const answer = await client(first, { redirects: "as-answer" }).send({ url: "here" });
    expect([answer.status, answer.headers.location]).toEqual([302, "/end"]);
    expect(seen).toEqual(["/here -"]);
  });

  test("within the origin keep the credentials", async () => {
    const { first, seen } = await world();
    const nas = client(first, { headers, redirects: "same-origin" });
    expect((await nas.send({ url: "here" })).body.toString()).toBe("here");
    expect(await faultOf(nas.send({ url: "away" }))).toMatchObject({ code: "REDIRECTED" });
    expect(seen).toEqual(["/here secret", "/end secret", "/away secret"]);
  });

  test("to elsewhere lose the credentials", async () => {
    const { first, seen } = await world();
    const nas = client(first, { headers, redirects: { follow: { hops: 2, egress: "lan" } } });
    expect((await nas.send({ url: "away" })).body.toString()).toBe("there");
    expect(seen).toEqual(["/away secret", "/end -"]);
  });

  test("to elsewhere may only lead to the public, where nothing else is said", async () => {
    const { first, seen } = await world();
    const nas = client(first, { redirects: { follow: { hops: 2 } } });
    expect(await faultOf(nas.send({ url: "away" }))).toMatchObject({ kind: "permanent", code: "EGRESS_REFUSED" });
    expect(seen).toEqual(["/away -"]);
  });

  test("end", async () => {
    const { first, seen } = await world();
    expect(await faultOf(client(first, { redirects: "same-origin" }).send({ url: "loop" }))).toMatchObject({
      code: "REDIRECTED",
    });
    expect(seen).toHaveLength(6);
  });
});
