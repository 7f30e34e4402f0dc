// The listening socket, which is there before the database is: until there is an application it says what it is waiting for.

import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { SluiceError } from "../engine/index.ts";
import { type Answer, isWebSocketRequest } from "./feed/upgrade.ts";
import { bodiesInTime, boundConnections, fewAtOnce, isUpload, SERVER_OPTIONS } from "./http/connection-bounds.ts";
import { type Waiting, waitingAnswer } from "./http/waiting.ts";

export interface DoorOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Answers have so long to end when it is told to close. Default 5 s. */
  readonly closeMs?: number;
}

export interface Door {
  /** Where it listens. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** What is told until there is an application. */
  waitFor(waiting: Waiting): void;
  /** From now on the application answers; nobody has to ask at another place. */
  answerWith(answer: Answer): void;
  /** Safe to call twice. */
  close(): Promise<void>;
}

const CLOSE_MS = 5_000;

export async function openDoor({ host, port, closeMs = CLOSE_MS }: DoorOptions): Promise<Door> {
  let closing: Promise<void> | undefined;
  let waiting: Waiting = { since: new Date(), trouble: undefined };
  let answer: Answer = (request) => waitingAnswer(request, waiting, randomUUID());
  const server = createServer(
    // Other protocols that a client would like better are not spoken, and no reason to refuse it.
    { ...SERVER_OPTIONS, shouldUpgradeCallback: isWebSocketRequest },
    fewAtOnce(
      bodiesInTime(
        getRequestListener((request, env) => answer(request, env)),
        isUpload,
      ),
    ),
  );
  boundConnections(server);
  const sockets = socketsOf(server);
  const bound = await listen(server, host, port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
    port: bound.port,
    server,
    waitFor(now) {
      waiting = now;
    },
    answerWith(given) {
      answer = given;
    },
    close() {
      closing ??= close(server, sockets, closeMs);
      return closing;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there; choose another port" : error.message;
      reject(new SluiceError("CANNOT_LISTEN", `cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo)); // a TCP port, so never a path
  });
}

/** All that are open. The server's own list forgets those that have become WebSockets, and would wait for them for ever. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

async function close(server: Server, sockets: ReadonlySet<Socket>, closeMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ("closeIdleConnections" in server) server.closeIdleConnections();
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, closeMs);
  await closed;
  clearTimeout(late);
}
