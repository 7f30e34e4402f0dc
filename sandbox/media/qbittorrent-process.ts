// A qBittorrent without a window, in a folder of its own, that speaks to the loopback and to nobody else.

import { type ChildProcess, spawn } from "node:child_process";
import { pbkdf2Sync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../processes/free-port.ts";
import { Ring } from "../processes/ring.ts";

export interface QbittorrentProcessOptions {
  /** Its own: settings, notes and, in `downloads`, what it downloads. Stays. */
  readonly folder: string;
  readonly username?: string;
  readonly password?: string;
  /** Bytes a second, for downloads that can be watched. */
  readonly downloadLimit?: number;
}

const START_MS = 30_000;
const END_MS = 15_000;

export class QbittorrentProcess {
  readonly username: string;
  readonly password: string;
  readonly downloads: string;
  readonly log = new Ring();
  readonly #options: QbittorrentProcessOptions;
  #child: ChildProcess | undefined;
  #port = 0;

  constructor(options: QbittorrentProcessOptions) {
    this.#options = options;
    this.username = options.username ?? "admin";
    this.password = options.password ?? "adminadmin";
    this.downloads = join(options.folder, "downloads");
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it answers. After an end it is started with what it had. */
  async start(): Promise<void> {
    // Another for its peers every time: while it was down somebody else may have taken the one it had, and without one it tells no
    // tracker that it is there.
    const port = await freePort();
    if (this.#child !== undefined) return;
    if (this.#port === 0) await this.#settle();
    // Whatever becomes of this process, it ends with it.
    const dies = ["--pdeathsig", "KILL", "qbittorrent-nox"];
    const options = [`--profile=${this.#options.folder}`, `--torrenting-port=${port}`];
    const child = spawn("setpriv", [...dies, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => this.log.add(text));
    child.once("error", (error) => this.#ended(child, `${error.message}\n`));
    child.once("exit", () => this.#ended(child, "it ended\n"));
    await this.#answers();
  }

  #ended(child: ChildProcess, words: string): void {
    this.log.add(words);
    if (this.#child === child) this.#child = undefined;
  }

  /** In order: it notes how far it is. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** As `kill -9` does. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = once(child, "exit");
    child.kill(signal);
    const limit = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await gone;
    clearTimeout(limit);
  }

  async #answers(): Promise<void> {
    const late = AbortSignal.timeout(START_MS);
    while (this.#child !== undefined && !late.aborted) {
      // Refused without a log-in, which is an answer, and does not count as a wrong password.
      const answer = await fetch(`${this.url}/api/v2/app/webapiVersion`, { signal: late }).catch(() => undefined);
      if (answer?.status === 200 || answer?.status === 403) return;
      await sleep(50);
    }
    await this.kill();
    throw new Error(`qbittorrent-nox does not answer: ${this.log.lines().slice(-12).join("\n")}`);
  }

  async #settle(): Promise<void> {
    const { folder, downloadLimit } = this.#options;
    this.#port = await freePort();
    const config = join(folder, "qBittorrent", "config");
    mkdirSync(config, { recursive: true });
    mkdirSync(this.downloads, { recursive: true });
    const salt = randomBytes(16);
    const key = pbkdf2Sync(this.password, salt, 100_000, 64, "sha512");
    writeFileSync(
      join(config, "qBittorrent.conf"),
      settings({
        LegalNotice: { Accepted: "true" },
        Preferences: {
          "WebUI\\Address": "127.0.0.1",
          "WebUI\\Port": String(this.#port),
          "WebUI\\Username": this.username,
          "WebUI\\Password_PBKDF2": `"@ByteArray(${salt.toString("base64")}:${key.toString("base64")})"`,
          "WebUI\\LocalHostAuth": "true",
          "WebUI\\UseUPnP": "false",
          "WebUI\\HostHeaderValidation": "false",
        },
        BitTorrent: {
          "Session\\Interface": "lo",
          "Session\\InterfaceName": "lo",
          "Session\\InterfaceAddress": "127.0.0.1",
          "Session\\DefaultSavePath": this.downloads,
          ...ALONE,
          ...PROMPT,
          ...(downloadLimit === undefined
            ? {}
            : { "Session\\GlobalDLSpeedLimit": String(Math.ceil(downloadLimit / 1024)) }),
        },
        Network: { PortForwardingEnabled: "false" },
      }),
    );
  }
}

/** Nobody is asked for peers but the tracker. */
const ALONE = {
  "Session\\DHTEnabled": "false",
  "Session\\PeXEnabled": "false",
  "Session\\LSDEnabled": "false",
  "Session\\SSRFMitigation": "false",
};

/** Several of them on one address, which find each other at once. */
const PROMPT = {
  "Session\\MultiConnectionsPerIp": "true",
  "Session\\BTProtocol": "TCP",
  "Session\\Encryption": "0",
  "Session\\QueueingSystemEnabled": "false",
  "Session\\IgnoreLimitsOnLAN": "false",
  "Session\\AnnounceToAllTrackers": "true",
  "Session\\BlockPeersOnPrivilegedPorts": "false",
};

function settings(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const lines = Object.entries(groups).map(([group, values]) => {
    const each = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    return [`[${group}]`, ...each].join("\n");
  });
  return `${lines.join("\n\n")}\n`;
}
