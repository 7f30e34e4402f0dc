// The server keeps its port over restarts, so that a process which lived through one finds it again. PostgreSQL cannot
// choose a free port itself, and a fixed one collides with other projects on the machine.
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { hasCode } from "./error.ts";

export const LOOPBACK = "127.0.0.1";

/** The recorded port if nobody else has it by now, else a free one, which is recorded. */
export async function choosePort(home: string): Promise<number> {
  const recorded = await readPort(home);
  if (recorded !== undefined && (await listenOnce(recorded)) !== undefined) return recorded;
  const port = await listenOnce(0);
  if (port === undefined) throw new Error(`No free port on ${LOOPBACK}.`);
  await writeFile(join(home, "port"), `${port}\n`);
  return port;
}

async function readPort(home: string): Promise<number | undefined> {
  try {
    const port = Number(await readFile(join(home, "port"), "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Listens for a moment and says on which port; undefined when the port asked for is taken. */
function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (hasCode(error, "EADDRINUSE", "EACCES") ? resolve(undefined) : reject(error)));
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : undefined));
    });
  });
}
