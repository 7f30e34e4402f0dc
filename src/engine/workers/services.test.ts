import { expect, it } from "vitest";
import { manualClock, silentLogger } from "../../kit/index.ts";
import type { Database, Statement } from "../db/database.ts";
import { unavailable } from "../pipeline/fault.ts";
import { service } from "../pipeline/service.ts";
import type { ServiceRow } from "../services/service.sql.ts";
import { Services } from "./services.ts";

/** Long enough for everything that waits for nothing else. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await undefined;
}
const shop = service("shop", { breaker: { failures: 1, items: 1 } });
const nothing = { probe_at: null, probe_epoch: null, probe_until: null, ramp: null, ramp_left: null, busy_until: null };
const unlimited = { grants: [], capacity: null, limit_count: null, limit_ms: null, code: null, message: null };
const well: ServiceRow = {
  name: "shop",
  version: "1",
  now: 0,
  is_open: false,
  recent: [],
  changed_at: 0,
  ...nothing,
  ...unlimited,
};

/** One row, and `before` each statement whatever keeps the database busy. */
function rowIn(before: (statement: string, count: number) => Promise<unknown>): Database {
  let row = well;
  const counts = new Map<string, number>();
  const answer = async ({ name }: Statement, values: readonly unknown[]) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    await before(name, count);
    if (name === "save-service") row = { ...row, version: "2", is_open: values[2] === true };
    return [row];
  };
  // The rest of a database is not asked for here.
  return { query: answer } as unknown as Database;
}

it("a failure that another round is just writing down is known before its visit goes on", async () => {
  const failed = Promise.withResolvers<void>();
  const saving = Promise.withResolvers<void>();
  const db = rowIn(async (statement, count) => {
    // The loop's own round has read the row when the call fails, and takes its report along.
    if (statement === "list-services" && count === 2) await failed.promise.then(() => soon());
    // Whoever reads next reads before that is written.
    if (statement === "list-services" && count > 2) await saving.promise;
    if (statement !== "save-service") return;
    saving.resolve();
    await soon();
  });
  const services = new Services({
    db,
    clock: manualClock(),
    log: silentLogger,
    stages: [],
    clients: { shop: {} },
    measures: { called: () => undefined },
    epoch: () => "1",
    laneServices: () => [],
    turned: () => undefined,
    letThrough: async () => false,
  });
  await services.start();
  const call = services.call(shop, "1", async () => {
    failed.resolve();
    throw unavailable("NOT_REACHED", "connection refused");
  });
  const standing = await call.catch(() => services.standing("shop"));
  expect(standing).toBe("held");
  await services.stop();
});
