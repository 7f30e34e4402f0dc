// Listening where nobody answers. A failure that is told twice is retried twice, and each of those twice again: a worker
// that outlived an outage of some seconds had thousands of connections open.
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { openPostgres } from "../../src/engine/db/postgres.ts";

/** How often a failure to listen was told: by the rejection, and to the listener. */
async function told(url: string): Promise<{ readonly rejected: boolean; readonly lost: number }> {
  const db = openPostgres({ url });
  let lost = 0;
  const listener = {
    wake: () => undefined,
    lost: () => {
      lost += 1;
    },
  };
  const rejected = await db.listen("somewhere", listener).then(
    () => false,
    () => true,
  );
  await db.close();
  return { rejected, lost };
}

it("a failure to listen is told once: by the rejection", async () => {
  const rude = createServer((socket) => void socket.once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
  const { port } = rude.address() as { port: number };
  const answer = await told(`postgres://sluice@127.0.0.1:${port}/sluice`);
  await new Promise((resolve) => rude.close(resolve));
  expect(answer).toEqual({ rejected: true, lost: 0 });
});
