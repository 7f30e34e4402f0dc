// Watches over everything: every round the facts are read, decided upon, and what follows is sent. Of several servers one does it.

import { hostname, tmpdir } from "node:os";
import type { Resolve } from "../../connectors/index.ts";
import type { Logger, Sluice } from "../../engine/index.ts";
import { type Clock, type Loop, loop, type Service, safeText, together } from "../../kit/index.ts";
import { listChannels } from "../channels/channel.sql.ts";
import { Channels } from "../channels/channels.ts";
import { deliverDue } from "../channels/deliveries.ts";
import { forgetDeliveries } from "../channels/delivery.sql.ts";
import { holdDuty, letGoOfDuty } from "../duty/duty.sql.ts";
import type { Keyring } from "../secrets/seal.ts";
import { Secrets } from "../secrets/secrets.ts";
import { readSettings } from "../settings/setting.sql.ts";
import { forgetAlerts } from "./alert.sql.ts";
import { secondsSince } from "./cause.ts";
import { decide } from "./decide.ts";
import { forgetDisks, reportDisks } from "./disk.sql.ts";
import { type DiskPlace, Disks, type SpaceAt, spaceAt } from "./disks.ts";
import { type FactPorts, FactReader } from "./facts.ts";
import { RULE_NAMES, settingName, settingsOf } from "./rule.ts";

export interface AlertPorts {
  readonly sluice: Sluice;
  readonly log: Logger;
  readonly clock: Clock;
  /** The wall clock, for those who receive messages. */
  wallMs(): number;
  /** A name that no other server uses. */
  readonly holder: string;
  /** The machine, as people call it: its disks are told by this name. */
  readonly host?: string;
  /** Empty where there is no key: then no channel can be used, and each says so. */
  readonly keyring: Keyring;
  /** As in https://sluice.example.org, for links in messages. */
  readonly publicUrl?: string | undefined;
  /** Besides temporary files: the data folder, and the database's where it is ours. */
  readonly disks?: readonly DiskPlace[];
  readonly spaceAt?: SpaceAt;
  readonly resolve?: Resolve;
  readonly goneEncoders?: FactPorts["goneEncoders"];
}

const ROUND_MS = 15_000;
const SEND_MS = 5_000;
const DUTY = "alerts";
/** Longer than the longest round: sending to everybody who does not answer. */
const TERM_MS = 120_000;
const FORGET_SECONDS = 3_600;

export class Alerts implements Service {
  readonly channels: Channels;
  readonly publicUrl: string | null;
  readonly #ports: AlertPorts;
  readonly #secrets: Secrets;
  readonly #facts: FactReader;
  readonly #disks: Disks;
  readonly #sending: Loop;
  readonly #loops: Service;
  #forgotAt: Date | undefined;

  constructor(ports: AlertPorts) {
    this.#ports = ports;
    const { sluice, clock, log, wallMs } = ports;
    this.publicUrl = ports.publicUrl?.replace(/\/+$/, "") ?? null;
    this.#secrets = new Secrets(sluice.tables, ports.keyring);
    this.channels = new Channels({ tables: sluice.tables, secrets: this.#secrets, wallMs, resolve: ports.resolve });
    const places = [{ use: "temporary files", path: tmpdir() }, ...(ports.disks ?? [])];
    this.#disks = new Disks(places, { clock, log, spaceAt: ports.spaceAt ?? spaceAt });
    this.#facts = new FactReader({ sluice, goneEncoders: ports.goneEncoders });
    const failed = (error: unknown) => log.warn("alerts.failed", { error: safeText(error, 300) });
    this.#sending = loop(clock, SEND_MS, async () => void (await this.deliver()), failed);
    const rounds = loop(clock, ROUND_MS, async () => void (await this.round()), failed);
    this.#loops = together([rounds, this.#sending]);
  }

  async start(): Promise<void> {
    await this.#loops.start();
  }

  async stop(): Promise<void> {
    const { sluice, holder, log } = this.#ports;
    await this.#loops.stop();
    await letGoOfDuty(sluice.tables, DUTY, holder).catch((error: unknown) =>
      // With the database away, its term ends by itself.
      log.warn("alerts.duty-kept", { error: safeText(error, 300) }),
    );
  }

  /** How many messages it decided upon; undefined when another server does it. */
  async round(): Promise<number | undefined> {
    const { sluice, holder, host = hostname() } = this.#ports;
    const { tables } = sluice;
    // Everybody's own, for nobody else can look there.
    await reportDisks(tables, holder, host, await this.#disks.read());
    if (!(await holdDuty(tables, DUTY, holder, TERM_MS))) return undefined;
    const facts = await this.#facts.read();
    const settings = settingsOf(await readSettings(tables, RULE_NAMES.map(settingName)));
    const messages = await tables.transaction(async (tx) => {
      // Once more, and under its lock until this is written: reading may have taken longer than the term.
      if (!(await holdDuty(tx, DUTY, holder, TERM_MS))) return undefined;
      const { publicUrl } = this;
      return await decide(facts, { tx, settings, channels: await listChannels(tx), publicUrl });
    });
    if (messages !== undefined && messages > 0) this.#sending.wake();
    await this.#forget(facts.now);
    return messages;
  }

  /** How many tries were made; undefined when another server does it. */
  async deliver(): Promise<number | undefined> {
    const { sluice, holder, wallMs, resolve } = this.#ports;
    if (!(await holdDuty(sluice.tables, DUTY, holder, TERM_MS))) return undefined;
    return await deliverDue({ tables: sluice.tables, secrets: this.#secrets, wallMs, resolve });
  }

  /** A message was put back in line by hand. */
  wake(): void {
    this.#sending.wake();
  }

  async #forget(now: Date): Promise<void> {
    if (this.#forgotAt !== undefined && secondsSince(now, this.#forgotAt) < FORGET_SECONDS) return;
    this.#forgotAt = now;
    await forgetDeliveries(this.#ports.sluice.tables);
    await forgetAlerts(this.#ports.sluice.tables);
    await forgetDisks(this.#ports.sluice.tables);
  }
}
