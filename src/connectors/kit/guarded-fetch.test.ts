import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { closedAddress, closeServers, faultOf, serve } from "../../../test/support/loopback.ts";
import { InputError } from "../../kit/index.ts";
import { type GuardedClientOptions, guardedClient } from "./guarded-fetch.ts";

afterEach(closeServers);

const client = (baseUrl: string, options: Partial<GuardedClientOptions> = {}) =>
  guardedClient({ service: "nas", egress: "lan", baseUrl, ...options });

describe("a request", () => {
  test("brings method, headers and body, and the answer back", async () => {
    const seen: IncomingMessage[] = [];
    const url = await serve(async (request, response) => {
      seen.push(request);
      response.writeHead(201, { "x-answer": "yes" }).end(`got ${await text(request)}`);
    });
    const nas = client(`${url}/api`, { headers: { "X-Api-Key": "secret" } });
    const answer = await nas.send({ method: "POST", url: "jobs?a=1", json: { b: 2 }, headers: { "x-one": "1" } });
    expect(answer).toMatchObject({ status: 201, headers: { "x-answer": "yes" }, url: `${url}/api/jobs?a=1` });
    expect(answer.body.toString()).toBe('got {"b":2}');
    expect(seen[0]?.headers).toMatchObject({
      host: url.slice("http://".length),
      "x-api-key": "secret",
      "x-one": "1",
      "content-type": "application/json",
      "content-length": "7",
      "accept-encoding": "identity",
      connection: "close",
    });
  });

  test("carries the trace it belongs to, and none where there is none", async () => {
    const seen: (string | string[] | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.traceparent);
      response.end();
    });
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await client(url).send({ url: "", trace });
    await client(url).send({ url: "", trace: undefined });
    expect(seen).toEqual([trace, undefined]);
  });

  test("may take its answer in pieces", async () => {
    const url = await serve((_, response) => {
      response.write("one ");
      response.end("two");
    });
    const pieces: string[] = [];
    const into = (chunk: Uint8Array) => void pieces.push(Buffer.from(chunk).toString());
    const { body } = await client(url).send({ url: "", into });
    expect([body.byteLength, pieces.join("")]).toEqual([0, "one two"]);
  });

  test.each([
    "//elsewhere.example/x",
    "http://elsewhere.example/",
    "../secret",
    "/other",
    "ftp://nas/x",
    "http://a:b@nas/",
  ])("to %s does not leave its base address", async (url) => {
    const nas = client("http://127.0.0.1:9/api/");
    expect(await faultOf(nas.send({ url }))).toMatchObject({
      kind: "permanent",
      code: "EGRESS_REFUSED",
      breaker: "none",
    });
  });

  test.each(["nas:8080", "ftp://nas/", "http://me:secret@nas/", "http://nas/?key=1", "nonsense"])(
    "is not made with the base address %s",
    (baseUrl) => {
      expect(() => client(baseUrl)).toThrow(InputError);
      expect(() => client(baseUrl)).not.toThrow(/secret/);
    },
  );

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("is not made with a limit of %s", (totalMs) => {
    expect(() => client("http://nas/", { limits: { totalMs } })).toThrow(/^limits.totalMs must be a number above 0/);
  });

  test("too large is not sent", async () => {
    const nas = client("http://127.0.0.1:9/", { limits: { requestBytes: 3 } });
    const fault = await faultOf(nas.send({ method: "POST", url: "", body: "four" }));
    expect(fault).toMatchObject({ kind: "permanent", code: "REQUEST_TOO_LARGE", breaker: "none" });
  });

  test("with a line break in a header is not sent", async () => {
    const fault = await faultOf(client("http://127.0.0.1:9/").send({ url: "", headers: { a: "b\r\nc: d" } }));
    expect(fault).toMatchObject({ kind: "permanent", code: "BAD_REQUEST" });
  });
});

describe("the egress policy", () => {
  const never = () => Promise.reject(new Error("no lookup of a literal address"));

  test.each([
    "http://127.0.0.1:9/",
    "http://[::1]:9/",
    "http://2130706433:9/",
    "http://0x7f.1:9/",
    "http://[::ffff:7f00:1]:9/",
  ])("public refuses %s, however it is written", async (url) => {
    const fault = await faultOf(guardedClient({ service: "feed", egress: "public", resolve: never }).send({ url }));
    expect(fault).toMatchObject({ kind: "permanent", code: "EGRESS_REFUSED" });
  });

  test("lan refuses the metadata service", async () => {
    const fault = await faultOf(client("http://169.254.169.254/").send({ url: "latest" }));
    expect(fault).toMatchObject({ kind: "unavailable", code: "EGRESS_REFUSED" });
  });

  test("judges what a name resolves to, at the very lookup the connection is made by", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end("hello");
    });
    const { port } = new URL(url);
    // A name that changes its mind: good at first, then this machine.
    const answers = ["127.0.0.1", "169.254.169.254"];
    let lookups = 0;
    const resolve = async () => [{ address: answers[lookups++] ?? "", family: 4 }];
    const nas = client(`http://nas.example:${port}/`, { resolve });
    expect((await nas.send({ url: "" })).status).toBe(200);
    expect(await faultOf(nas.send({ url: "" }))).toMatchObject({ code: "EGRESS_REFUSED" });
    expect([requests, lookups]).toEqual([1, 2]);
    const outside = guardedClient({
      service: "feed",
      egress: "public",
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect(await faultOf(outside.send({ url: `http://feed.example:${port}/` }))).toMatchObject({
      code: "EGRESS_REFUSED",
    });
    expect(requests).toBe(1);
  });

  test("leaves refused addresses of a name out", async () => {
    const url = await serve((_, response) => response.end("hello"));
    const resolve = async () => [
      { address: "fe80::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const answer = await client(`http://nas.example:${new URL(url).port}/`, { resolve }).send({ url: "" });
    expect(answer.body.toString()).toBe("hello");
  });
});

describe("cookies", () => {
  const login: RequestListener = (request, response) => {
    if (request.url === "/login")
      response.setHeader("set-cookie", ['SID="a b%"; HttpOnly; path=/', "b=1; path=/other"]);
    response.end(request.headers.cookie ?? "none");
  };

  test("are sent back as set, where asked for", async () => {
    const nas = client(await serve(login), { cookies: true });
    await nas.send({ url: "login" });
    expect((await nas.send({ url: "api" })).body.toString()).toBe('SID="a b%"');
    nas.forgetCookies();
    expect((await nas.send({ url: "api" })).body.toString()).toBe("none");
  });

  test("are otherwise forgotten", async () => {
    const nas = client(await serve(login));
    await nas.send({ url: "login" });
    expect((await nas.send({ url: "api" })).body.toString()).toBe("none");
  });
});

describe("json", () => {
  const answering = async (body: string | Buffer, status = 200) =>
    client(await serve((_, response) => response.writeHead(status).end(body)));
  const name = (value: unknown) => {
    if (typeof value !== "object" || value === null || !("name" in value)) throw new Error("no name");
    return value.name;
  };

  test("is checked by a function or a schema", async () => {
    const nas = await answering('{"name":"é"}');
    expect(await nas.json({ url: "" }, name)).toBe("é");
    const schema = { "~standard": { validate: (value: unknown) => ({ value: name(value) }) } };
    expect(await nas.json({ url: "" }, schema)).toBe("é");
    const strict = { "~standard": { validate: () => ({ issues: [{ message: "not like this" }] }) } };
    expect(await faultOf(nas.json({ url: "" }, strict))).toMatchObject({
      code: "BAD_ANSWER",
      message: "nas gave an answer that has the wrong shape: not like this",
    });
  });

  test.each<[string, string | Buffer]>([
    ["cut short", '{"name":"a'],
    ["a page", "<html>log in</html>"],
    ["empty", ""],
    ["of the wrong shape", "[]"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("that is %s is the service's failure", async (_, body) => {
    const fault = await faultOf((await answering(body)).json({ url: "" }, name));
    expect(fault).toMatchObject({ kind: "transient", code: "BAD_ANSWER", breaker: "failure" });
  });

  test("of an error is the fault of its status", async () => {
    const fault = await faultOf((await answering("not yours", 422)).json({ url: "x?key=secret" }, name));
    expect(fault).toMatchObject({
      kind: "permanent",
      code: "HTTP_422",
      message: "nas answered 422 to GET x: not yours",
    });
  });

  test("tells nothing of a path that is secret", async () => {
    const fault = await faultOf((await answering("no", 422)).json({ url: "passkey/x", what: "a file" }, name));
    expect(fault.message).toBe("nas answered 422 to a file: no");
    const nobody = client(await closedAddress());
    expect((await faultOf(nobody.send({ url: "passkey/x", what: "a file" }))).message).toMatch(/^a file of nas: /);
  });
});
