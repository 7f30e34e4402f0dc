import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { closedAddress, closeServers, faultOf, serve, serveRaw } from "../../../test/support/loopback.ts";
import { Fault } from "../../engine/index.ts";
import { type GuardedClientOptions, guardedClient } from "./guarded-fetch.ts";

afterEach(closeServers);

const client = (baseUrl: string, options: Partial<GuardedClientOptions> = {}) =>
  guardedClient({ service: "nas", egress: "lan", baseUrl, ...options });

describe("a service", () => {
  test("that is not there was never reached", async () => {
    const fault = await faultOf(client(await closedAddress()).send({ url: "" }));
    expect(fault).toMatchObject({ kind: "unavailable", code: "NOT_REACHED", breaker: "failure", service: "nas" });
  });

  test("without a name in the DNS was never reached", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    const fault = await faultOf(client("http://nas.example/", { resolve }).send({ url: "" }));
    expect(fault).toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
  });

  test("that speaks no TLS was never reached", async () => {
    const url = await serve((_, response) => response.end());
    const fault = await faultOf(client(url.replace("http:", "https:")).send({ url: "" }));
    expect(fault).toMatchObject({ kind: "unavailable", code: "TLS" });
  });

  test("that takes too long to be reached was not", async () => {
    // A handshake that is never answered.
    const url = (await serveRaw(() => undefined)).replace("http:", "https:");
    const fault = await faultOf(client(url, { limits: { connectMs: 30 } }).send({ url: "" }));
    expect(fault).toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ["never answers", () => undefined, "TIMEOUT"],
    ["falls silent within its answer", (s) => s.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), "TIMEOUT"],
    ["hangs up without an answer", (s) => s.once("data", () => s.end()), "RESET"],
    ["hangs up rudely", (s) => s.once("data", () => s.resetAndDestroy()), "RESET"],
    ["breaks off its answer", (s) => s.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), "TRUNCATED"],
    [
      "breaks off in chunks",
      (s) => s.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"),
      "TRUNCATED",
    ],
    ["speaks something else", (s) => s.end("SSH-2.0-OpenSSH\r\n"), "BAD_ANSWER"],
    ["announces too much", (s) => s.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), "TOO_LARGE"],
    ["sends too much", (s) => s.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(1_001)}`), "TOO_LARGE"],
  ])("that %s is a transient fault", async (_, act, code) => {
    const url = await serveRaw(act);
    // Short only where it has to run out: a busy machine may take longer for anything else.
    const patience = code === "TIMEOUT" ? { headersMs: 40, idleMs: 40 } : {};
    const fault = await faultOf(client(url, { limits: { ...patience, answerBytes: 1_000 } }).send({ url: "" }));
    expect(fault).toMatchObject({ kind: "transient", code, breaker: "failure" });
  });

  test("that goes on and on is cut off by the total", async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write("x"), 5);
      response.once("close", () => clearInterval(timer));
    });
    const fault = await faultOf(client(url, { limits: { totalMs: 60 } }).send({ url: "" }));
    expect(fault).toMatchObject({ code: "TIMEOUT", message: "nas took longer than 60 ms for GET /" });
  });

  test("whose answer nobody takes is cut off by the total as well", async () => {
    const url = await serve((_, response) => response.end("hello"));
    const into = () => new Promise<void>(() => undefined);
    const fault = await faultOf(client(url, { limits: { totalMs: 60 } }).send({ url: "", into }));
    expect(fault).toMatchObject({ code: "TIMEOUT" });
  });

  test("sees the connection closed as soon as its answer is too large", async () => {
    let closed: (() => void) | undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveRaw((socket) => {
      socket.once("close", () => closed?.());
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const pour = () => void (socket.destroyed || socket.write("x".repeat(10_000), pour));
      pour();
    });
    await faultOf(client(url, { limits: { answerBytes: 100_000 } }).send({ url: "" }));
    await isClosed;
  });
});

describe("a visit's signal", () => {
  test("ends the call with the fault it was aborted with", async () => {
    const abort = new AbortController();
    const reason = new Fault("transient", "STOPPING", "the worker is stopping");
    const url = await serveRaw((socket) => socket.once("data", () => abort.abort(reason)));
    expect(await faultOf(client(url).send({ url: "", signal: abort.signal }))).toBe(reason);
  });

  test("aborted for any other reason blames nobody", async () => {
    const fault = await faultOf(client("http://127.0.0.1:9/").send({ url: "", signal: AbortSignal.abort() }));
    expect(fault).toMatchObject({ kind: "transient", code: "ABORTED", breaker: "none" });
  });
});
