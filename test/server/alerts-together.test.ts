// Several servers on a real database: one of them decides, one sends, and when it is gone another goes on.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, type Sluice } from "../../src/engine/index.ts";
import { silentLogger, systemClock } from "../../src/kit/index.ts";
import { Alerts } from "../../src/server/alerts/alerts.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { closeServers } from "../support/loopback.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startServer, type TestServer } from "../support/server.ts";

const films = definePipeline("films", { version: 1, input: z.object({}) }).stage("find", { run: () => done() });
let database: TestServer;
let hook: Receiver;
const opened: Sluice[] = [];
beforeAll(async () => {
  database = await startServer();
  hook = await startReceiver();
});
afterAll(async () => {
  for (const sluice of opened) await sluice.close();
  await database.stop();
  closeServers();
});

const keyring = readKeys(newKeyText());
const space = { device: "1", free: 500e9, size: 1e12 };

async function server(holder: string): Promise<{ sluice: Sluice; alerts: Alerts }> {
  const sluice = await openSluice({ pipelines: [films], worker: false, database: database.url(), log: silentLogger });
  opened.push(sluice);
  await prepareServerTables(sluice.tables);
  const ports = { log: silentLogger, clock: systemClock, wallMs: Date.now, spaceAt: async () => space };
  return { sluice, alerts: new Alerts({ sluice, holder, keyring, ...ports }) };
}

const statement = (name: string, text: string) => ({ name: `test-${name}`, text });

it("all look, one tells", async () => {
  const servers = [await server("a"), await server("b"), await server("c")];
  const { sluice, alerts } = servers[0] as (typeof servers)[number]; // there are three
  await sluice.tables.transaction((tx) => alerts.channels.add(tx, "hook", "webhook", { url: hook.url }));
  await sluice.submit(films, [{}], { delay: "1h" });
  await sluice.tables.query(statement("lose", "update sluice.run set ready_at = 'infinity', reason = null"), []);
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(servers.map((one) => one.alerts.round()));
    await Promise.all(servers.map((one) => one.alerts.deliver()));
  }
  expect(hook.received.map(({ json }) => json.type)).toEqual(["alert.opened"]);
  // Whoever it was stops in order; the next one has the duty at once, and has nothing to tell anew.
  await servers[0]?.alerts.stop();
  await servers[1]?.alerts.stop();
  expect(await servers[2]?.alerts.round()).toBe(0);
  await sluice.tables.query(statement("find", "update sluice.run set ready_at = sluice.now()"), []);
  await servers[2]?.alerts.round();
  // A minute of absence, as if it had passed.
  const past = "update sluice_server.alert set absent_since = absent_since - interval '61 seconds'";
  await sluice.tables.query(statement("past", past), []);
  expect(await servers[2]?.alerts.round()).toBe(1);
  await servers[2]?.alerts.deliver();
  expect(hook.received.map(({ json }) => json.type)).toEqual(["alert.opened", "alert.resolved"]);
});
