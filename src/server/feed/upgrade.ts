// WebSocket handshakes take the same way in as every other request: the guard, the policy of the route, its input. Only where
// its handler accepts is the socket taken over; every other answer is written to it as it would be to anybody.

import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Logger } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";

/** What the handler of a WebSocket route finds in its environment. */
export interface Upgrade {
  /** Exactly one of the two is called later. */
  accept(talk: (socket: WebSocket) => void, abandon: () => void): void;
}

export type Answer = (request: Request, env: unknown) => Response | Promise<Response>;

/** The largest frame that a client may send. */
const FRAME_BYTES = 4_096;

interface UpgradeServer {
  on(event: "upgrade", listener: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void): unknown;
}

export function isWebSocketRequest(incoming: IncomingMessage): boolean {
  return incoming.headers.upgrade?.toLowerCase() === "websocket";
}

export function takeUpgrades(server: UpgradeServer, answer: Answer, log: Logger): void {
  const sockets = new WebSocketServer({
    ...{ noServer: true, maxPayload: FRAME_BYTES, clientTracking: false },
    // The library would answer without end whoever asks without reading.
    autoPong: false,
  });
  server.on("upgrade", (incoming, socket, head) => {
    // It may be gone before we have looked at it.
    socket.on("error", () => socket.destroy());
    handle(sockets, answer, { incoming, socket, head }).catch((error: unknown) => {
      log.warn("feed.handshake-failed", { error: safeText(error, 300) });
      socket.destroy();
    });
  });
}

interface Handshake {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

async function handle(sockets: WebSocketServer, answer: Answer, { incoming, socket, head }: Handshake): Promise<void> {
  let accepted: { readonly talk: (socket: WebSocket) => void; readonly abandon: () => void } | undefined;
  const upgrade: Upgrade = {
    accept: (talk, abandon) => {
      accepted = { talk, abandon };
    },
  };
  const response = await answer(toRequest(incoming), { incoming, upgrade });
  if (accepted === undefined) return await refuse(socket, response);
  const { talk, abandon } = accepted;
  let isTaken = false;
  // A handshake that is none is answered by the library, without calling back.
  sockets.handleUpgrade(incoming, socket, head, (taken) => {
    isTaken = true;
    talk(taken);
  });
  if (!isTaken) abandon();
}

function toRequest({ url = "/", headers }: IncomingMessage): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  // Which name we were called by is looked at in the headers; here it would have to be one that parses.
  return new Request(new URL(url, "http://localhost"), { headers: given });
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const isError = response.status >= 400;
  if (!isError) await response.body?.cancel();
  const status = isError ? response.status : 400;
  const body = isError ? await response.text() : "there is no WebSocket here; it is at /api/v1/ws";
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}`, "connection: close"];
  if (isError) for (const [name, value] of response.headers) lines.push(`${name}: ${value}`);
  lines.push(`content-length: ${Buffer.byteLength(body)}`);
  socket.end(`${lines.filter(isOnce).join("\r\n")}\r\n\r\n${body}`);
}

/** Whatever the answer said about its own length is said anew. */
function isOnce(line: string, index: number, all: readonly string[]): boolean {
  return !line.startsWith("content-length:") || index === all.length - 1;
}
