// Alerts on an engine in this process, with the clock in the test's hands: time passes in rounds, as on a server.

import type { AnyPipeline, Logger } from "../../src/engine/index.ts";
import { type TestSluice, type TestSluiceOptions, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { systemClock } from "../../src/kit/index.ts";
import { type AlertPorts, Alerts } from "../../src/server/alerts/alerts.ts";
import type { ChannelType, GivenTarget } from "../../src/server/channels/channel.ts";
import type { Message } from "../../src/server/channels/message.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";

const MESSAGES = {
  name: "test-messages",
  text: "select message from sluice_server.delivery where kind <> 'updated' order by id",
};

export interface AlertWorld {
  readonly t: TestSluice;
  readonly alerts: Alerts;
  readonly logged: readonly string[];
  /** Another server on the same database. */
  another(holder: string, ports?: Partial<AlertPorts>): Alerts;
  addChannel(name: string, type: ChannelType, target: GivenTarget): Promise<{ id: string; secret: string | null }>;
  /** So many minutes, a round every so many seconds. */
  pass(minutes: number, everySeconds?: number): Promise<void>;
  /** What was decided to be told, in order: "opened service-down/converter". Counts that changed are left out. */
  told(): Promise<string[]>;
  messages(): Promise<Message[]>;
  close(): Promise<void>;
}

export async function openAlertWorld(
  pipelines: readonly AnyPipeline[],
  options: Omit<TestSluiceOptions, "pipelines"> = {},
  ports: Partial<AlertPorts> = {},
): Promise<AlertWorld> {
  const t = await testSluice({ pipelines, ...options });
  await prepareServerTables(t.sluice.tables);
  const logged: string[] = [];
  const note = (event: string, facts?: unknown) => void logged.push(`${event} ${JSON.stringify(facts)}`);
  const log: Logger = { info: note, warn: note, error: note };
  const keyring = readKeys(newKeyText());
  const spaceAt = async () => ({ device: "1", free: 500e9, size: 1e12 });
  const base = {
    sluice: t.sluice,
    log,
    clock: systemClock,
    wallMs: () => t.now().getTime(),
    keyring,
    spaceAt,
    host: "nas",
  };
  const another = (holder: string, other: Partial<AlertPorts> = {}) =>
    new Alerts({ ...base, ...ports, ...other, holder });
  const alerts = another("first");
  const messages = async () => (await t.db.query<{ message: Message }>(MESSAGES, [])).map(({ message }) => message);
  return {
    ...{ t, alerts, logged, another, messages },
    async addChannel(name, type, target) {
      const { channel, secret } = await t.sluice.tables.transaction((tx) =>
        alerts.channels.add(tx, name, type, target),
      );
      return { id: channel.id, secret };
    },
    async pass(minutes, everySeconds = 30) {
      for (let left = minutes * 60; left > 0; left -= everySeconds) {
        await t.advance(Math.min(left, everySeconds) * 1_000);
        await alerts.round();
        await alerts.deliver();
      }
    },
    told: async () => (await messages()).map(({ kind, key }) => `${kind} ${key}`),
    close: () => t.close(),
  };
}
