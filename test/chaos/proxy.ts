// A TCP proxy in front of PostgreSQL with two bad habits: it can swallow the reply to a statement that the server did
// carry out and then cut the line, and it can forget to tell the server that a client is gone.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface DatabaseProxy {
  readonly port: number;
  /** Swallows the next reply on every open connection, then resets it. */
  eatReplies(): void;
  /** Replies swallowed so far. */
  readonly eaten: number;
  stop(): Promise<void>;
}

interface Line {
  readonly near: Socket;
  readonly far: Socket;
  isEating: boolean;
}

/** Long enough for the server to finish what it was asked, short of any limit of the client. */
const RESET_AFTER_MS = 30;

export async function startProxy(target: number, lingerMs = 0): Promise<DatabaseProxy> {
  const lines = new Set<Line>();
  let eaten = 0;

  function swallow(line: Line): void {
    line.isEating = false;
    eaten += 1;
    line.near.pause();
    setTimeout(() => {
      line.near.resetAndDestroy();
      line.far.destroy();
    }, RESET_AFTER_MS);
  }

  const server = createServer((near) => {
    const far = connect({ port: target, host: "127.0.0.1", noDelay: true });
    near.setNoDelay(true);
    const line: Line = { near, far, isEating: false };
    lines.add(line);
    let isCut = false;
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (line.isEating) {
        isCut = true;
        swallow(line);
      } else if (!isCut) near.write(bytes);
    });
    // Errors are ends: "close" follows each.
    near.on("error", () => undefined);
    far.on("error", () => undefined);
    near.on("close", () => {
      lines.delete(line);
      if (isCut || lingerMs === 0) far.destroy();
      else setTimeout(() => far.destroy(), lingerMs).unref();
    });
    far.on("close", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    eatReplies() {
      for (const line of lines) line.isEating = true;
    },
    get eaten() {
      return eaten;
    },
    async stop() {
      for (const line of lines) {
        line.near.destroy();
        line.far.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
