// The listening socket, which is there before the database is: until there is an application it says what it is waiting for.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { SluiceError } from "../engine/index.ts";
import { isWebSocketRequest } from "./feed/upgrade.ts";
import { boundConnections, fewAtOnce, SERVER_OPTIONS } from "./http/connection-bounds.ts";
import { type Waiting, waitingAnswer } from "./http/waiting.ts";

export type Answer = (request: Request, env: unknown) => Response | Promise<Response>;

export interface DoorOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
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

/** Answers have so long to end when it is told to close. */
const CLOSE_MS = 5_000;

export async function openDoor({ host, port }: DoorOptions): Promise<Door> {
  let closing: Promise<void> | undefined;
  let waiting: Waiting = { since: new Date(), trouble: undefined };
  let answer: Answer = (request) => waitingAnswer(request, waiting);
  const server = createServer(
    // Other protocols that a client would like better are not spoken, and no reason to refuse it.
    { ...SERVER_OPTIONS, shouldUpgradeCallback: isWebSocketRequest },
    fewAtOnce(getRequestListener((request, env) => answer(request, env))),
  );
  boundConnections(server);
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
      closing ??= close(server);
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

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ("closeIdleConnections" in server) server.closeIdleConnections();
  const late = setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(late);
}
