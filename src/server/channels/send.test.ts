import { afterEach, describe, expect, test } from "vitest";
import { closedAddress, closeServers, serve, serveRaw } from "../../../test/support/loopback.ts";
import { isSignedWith, type Receiver, startReceiver } from "../../../test/support/receiver.ts";
import type { ChannelType, Target } from "./channel.ts";
import type { Message } from "./message.ts";
import { type SendPorts, send } from "./send.ts";
import { newSigningSecret } from "./standard-webhook.ts";

afterEach(closeServers);

const secret = newSigningSecret();
const message: Message = {
  kind: "opened",
  alert: "7",
  rule: "service-down",
  key: "service-down/converter",
  title: "converter is not answering",
  sentence: "converter has not answered since 14:00 UTC (2 min). 2,000 items wait for it.",
  byItself: "They go on by themselves when it answers; checked again at 14:05 UTC.",
  count: 2_000,
  since: "2030-01-01T14:00:00.000Z",
  resolvedAt: null,
  examples: ["itm_1", "itm_2"],
  url: "https://sluice.example.org/api/v1/alerts",
};
const resolved: Message = { ...message, kind: "resolved", resolvedAt: "2030-01-01T14:23:00.000Z" };
const wallMs = () => Date.UTC(2030, 0, 1, 14, 2);

function give(type: ChannelType, target: Target, change: Partial<Message> = {}, ports: Partial<SendPorts> = {}) {
  const sending = { type, target, name: "ops", id: "msg_1", message: { ...message, ...change }, remoteId: null };
  return send(sending, { wallMs, ...ports });
}

describe("a webhook", () => {
  test("is signed so that a receiver can check it with nothing of ours", async () => {
    const hook = await startReceiver();
    const target = { url: `${hook.url}/hooks?from=sluice`, secret };
    expect(await give("webhook", target)).toMatchObject({ ok: true, status: 204, code: null });
    const [got] = hook.received;
    expect(got).toMatchObject({ method: "POST", path: "/hooks?from=sluice" });
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(wallMs() / 1_000),
    });
    expect(isSignedWith(secret, got as never)).toBe(true);
    expect(isSignedWith(newSigningSecret(), got as never)).toBe(false);
    expect(isSignedWith(secret, { ...got, body: got?.body.replace("2000", "2001") } as never)).toBe(false);
    const { kind: _, ...data } = message;
    expect(got?.json).toEqual({
      type: "alert.opened",
      timestamp: "2030-01-01T14:02:00.000Z",
      data: { ...data, headline: message.title },
    });
  });
});

describe("ntfy", () => {
  test("gets plain text, and all the rest in its headers", async () => {
    const ntfy = await startReceiver();
    expect(await give("ntfy", { url: `${ntfy.url}/alerts`, token: "tk_1" })).toMatchObject({ ok: true });
    const [got] = ntfy.received;
    expect(got).toMatchObject({ method: "POST", path: "/alerts" });
    expect(got?.headers).toMatchObject({
      "x-title": message.title,
      "x-priority": "4",
      "x-tags": "warning",
      "x-click": message.url,
      authorization: "Bearer tk_1",
    });
    expect(got?.body).toBe(`${message.sentence}\n${message.byItself}\nFor example itm_1, itm_2.`);
  });

  test("is told of the end in passing, without a token or a link where there is none", async () => {
    const ntfy = await startReceiver();
    await give("ntfy", { url: `${ntfy.url}/alerts` }, { ...resolved, url: null });
    const headers = ntfy.received[0]?.headers;
    expect(headers).toMatchObject({
      "x-title": `Resolved after 23 min: ${message.title}`,
      "x-priority": "3",
      "x-tags": "white_check_mark",
    });
    expect([headers?.["x-click"], headers?.authorization]).toEqual([undefined, undefined]);
  });

  test("reads other letters as mail does, and no line break gets into a header", async () => {
    const ntfy = await startReceiver();
    await give("ntfy", { url: `${ntfy.url}/alerts` }, { title: "Füllstand\r\nX-Evil: 1" });
    const title = String(ntfy.received[0]?.headers["x-title"]);
    expect(title).toMatch(/^=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?=$/);
    expect(Buffer.from(title.slice(10, -2), "base64").toString()).toBe("Füllstand X-Evil: 1");
    expect(ntfy.received[0]?.headers["x-evil"]).toBeUndefined();
  });

  test("gets no more than it takes", async () => {
    const ntfy = await startReceiver();
    await give("ntfy", { url: `${ntfy.url}/alerts` }, { sentence: "é".repeat(5_000), title: "t".repeat(1_000) });
    expect(Buffer.byteLength(ntfy.received[0]?.body ?? "")).toBeLessThanOrEqual(4_096);
    expect(String(ntfy.received[0]?.headers["x-title"]).length).toBeLessThanOrEqual(400);
  });
});

describe("Discord", () => {
  const path = "/api/webhooks/123/planted-token-of-discord";
  const asDiscord = (discord: Receiver) => {
    discord.answer = (response, { method }) => {
      const isThere = method === "POST";
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/json" });
      response.end(isThere ? '{"id":"555"}' : '{"message":"Unknown Message","code":10008}');
    };
  };

  test("makes a message that calls nobody, and says what it is called", async () => {
    const discord = await startReceiver();
    asDiscord(discord);
    const sent = await give("discord", { url: `${discord.url}${path}?thread_id=9` }, { title: "@everyone" });
    expect(sent).toMatchObject({ ok: true, remoteId: "555" });
    const [got] = discord.received;
    expect(got).toMatchObject({ method: "POST", path: `${path}?thread_id=9&wait=true` });
    expect(got?.json.allowed_mentions).toEqual({ parse: [] });
    expect(got?.json.embeds).toEqual([
      expect.objectContaining({ title: "@everyone", url: message.url, timestamp: message.since, color: 0xd83c3e }),
    ]);
  });

  test("has it edited when it is over, and made anew where somebody deleted it", async () => {
    const discord = await startReceiver();
    const target = { url: `${discord.url}${path}` };
    const over = { type: "discord", target, name: "ops", id: "msg_2", message: resolved, remoteId: "555" } as const;
    discord.answer = (response) => void response.writeHead(200).end('{"id":"555"}');
    expect(await send(over, { wallMs })).toMatchObject({ ok: true });
    expect(discord.received[0]).toMatchObject({ method: "PATCH", path: `${path}/messages/555` });
    expect(discord.received[0]?.json.embeds[0].title).toBe(`Resolved after 23 min: ${message.title}`);
    asDiscord(discord);
    expect(await send(over, { wallMs })).toMatchObject({ ok: true });
    expect(discord.received.slice(1).map(({ method }) => method)).toEqual(["PATCH", "POST"]);
    const reminder = { ...over, message: { ...message, kind: "reminder" } } as const;
    await send(reminder, { wallMs });
    expect(discord.received.at(-1)?.method).toBe("POST");
  });

  test("that asks for patience is given it", async () => {
    const discord = await startReceiver();
    discord.answer = (response) => void response.writeHead(429, { "retry-after": "7" }).end('{"retry_after":7}');
    expect(await give("discord", { url: `${discord.url}${path}` })).toMatchObject({
      ok: false,
      status: 429,
      code: "RATE_LIMITED",
      retryAfterMs: 7_000,
    });
  });
});

test.each<[string, ChannelType, Target]>([
  ["a secret that signs nothing", "webhook", { url: "http://127.0.0.1:9/x", secret: "planted" }],
  ["an address that is none", "discord", { url: "planted" }],
])("%s is told, and not thrown", async (_, type, target) => {
  const sent = await give(type, target);
  expect(sent).toMatchObject({ ok: false, status: null, kind: "permanent", code: "NOT_SENT" });
  expect(sent.answer).not.toContain("planted");
  expect(sent.answer).not.toBe("");
});

describe("a receiver that", () => {
  const limits = { headersMs: 100, idleMs: 100, connectMs: 500 };
  const hidden = "/planted-path-with-a-token";
  const to = async (url: string, ports: Partial<SendPorts> = {}) => {
    const sent = await give("webhook", { url: `${url}${hidden}`, secret }, {}, { limits, ...ports });
    expect(JSON.stringify(sent)).not.toContain("planted");
    expect(JSON.stringify(sent)).not.toContain(secret);
    return sent;
  };

  test("is dead", async () => {
    expect(await to(await closedAddress())).toMatchObject({
      ok: false,
      status: null,
      code: "NOT_REACHED",
      kind: "unavailable",
    });
  });

  test("never answers", async () => {
    expect(await to(await serve(() => undefined))).toMatchObject({ ok: false, code: "TIMEOUT" });
  });

  test("begins to answer and stops", async () => {
    const url = await serve((_, response) => void response.writeHead(200, { "content-length": "100" }).write("so"));
    expect(await to(url)).toMatchObject({ ok: false });
  });

  test("talks without end", async () => {
    const url = await serve((_, response) => void response.writeHead(200).end("x".repeat(200_000)));
    expect(await to(url)).toMatchObject({ ok: false, code: "TOO_LARGE" });
  });

  test("speaks something else", async () => {
    const url = await serveRaw((socket) => void socket.end("SSH-2.0-OpenSSH\r\n"));
    expect(await to(url)).toMatchObject({ ok: false, code: "BAD_ANSWER" });
  });

  test("repeats what it was sent, secrets and all", async () => {
    const url = await serve(
      (request, response) => void response.writeHead(400).end(`${request.url} ${secret} is wrong`),
    );
    const sent = await to(url);
    expect(sent).toMatchObject({
      ok: false,
      status: 400,
      code: "HTTP_400",
      kind: "permanent",
      answer: "*** *** is wrong",
    });
  });

  test("answers with a long story", async () => {
    const url = await serve((_, response) => void response.writeHead(503).end("é".repeat(2_000)));
    expect(Buffer.byteLength((await to(url)).answer)).toBeLessThanOrEqual(500);
  });

  test("sends us elsewhere is not followed", async () => {
    const inside = await startReceiver();
    const url = await serve((_, response) => void response.writeHead(307, { location: inside.url }).end());
    expect(await to(url)).toMatchObject({ ok: false, code: "REDIRECTED" });
    expect(inside.received).toEqual([]);
  });

  test("has a name that leads to where credentials lie", async () => {
    const hook = await startReceiver();
    const { port } = new URL(hook.url);
    const answers = ["127.0.0.1", "169.254.169.254", "::ffff:a9fe:a9fe", "fe80::1"];
    const resolve = async () => [{ address: answers.shift() ?? "", family: 4 }];
    expect(await to(`http://nas.example:${port}`, { resolve })).toMatchObject({ ok: true });
    for (const _ of ["metadata", "mapped", "link-local"])
      expect(await to(`http://nas.example:${port}`, { resolve })).toMatchObject({ ok: false, code: "EGRESS_REFUSED" });
    expect(hook.received).toHaveLength(1);
  });
});
