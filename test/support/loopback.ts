// Little servers on loopback ports, for tests of what speaks to them.

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { Fault } from "../../src/engine/index.ts";

const open: { close(): void }[] = [];

/** For `afterEach`. */
export function closeServers(): void {
  for (const each of open.splice(0)) each.close();
}

async function listening(server: Server | ReturnType<typeof createNetServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // on a port, not on a pipe
}

export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A server that speaks as it is told, below HTTP. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createNetServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** An address at which nobody listens any more. */
export async function closedAddress(): Promise<string> {
  const server = createNetServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

/** The fault it ends with; anything else fails the test. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error: unknown = await promise.then(
    (value) => new Error(`no fault but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Fault)) throw error;
  return error;
}
