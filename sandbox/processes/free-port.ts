import { once } from "node:events";
import { createServer } from "node:net";

/** One of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  if (address === null || typeof address === "string") throw new Error("there is no free port on the loopback");
  probe.close();
  await once(probe, "close");
  return address.port;
}

const TRIES = 5;

/** Free when it was looked for may be taken when it is used: then another is tried. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === TRIES || !String(error).includes("EADDRINUSE")) throw error;
    }
  }
}
