// `sluice gateway` as a person starts it: a process of its own, asked over the loopback.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Gateway, type HttpGatewayOptions, httpGateway } from "../../src/connectors/index.ts";
import { CLI } from "./cli.ts";

interface Told {
  readonly event: string;
  readonly url: string;
  readonly tokenFile: string;
  readonly reader: string;
  readonly hasNoNetwork: boolean;
  readonly notInForce: readonly string[];
}

export class GatewayProcess {
  readonly folder: string;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #port = 0;
  #told: Told | undefined;
  #said = "";

  constructor(folder: string, ...flags: readonly string[]) {
    this.folder = folder;
    this.#flags = flags;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get told(): Told {
    if (this.#told === undefined) throw new Error("the gateway was not started");
    return this.#told;
  }

  get url(): string {
    return this.told.url;
  }

  get token(): string {
    return readFileSync(this.told.tokenFile, "utf8").trim();
  }

  get isAlive(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  client(options: Partial<HttpGatewayOptions> = {}): Gateway {
    return httpGateway({ service: "gateway", baseUrl: this.url, token: this.token, ...options });
  }

  /** Resolves when it answers. After an end it has the same port. */
  async start(): Promise<void> {
    const flags = ["--folder", this.folder, "--port", String(this.#port), ...this.#flags];
    const child = spawn(process.execPath, ["--conditions=sluice-source", CLI, "gateway", "--json", ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said = (this.#said + text).slice(-4_000);
    });
    const ended = once(child, "exit").then(() => Promise.reject(new Error(`sluice gateway ended: ${this.#said}`)));
    ended.catch(() => undefined);
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const told = once(lines, "line").then(([line]) => JSON.parse(String(line)) as Told); // its own words
    this.#told = await Promise.race([told, ended]);
    this.#port = Number(new URL(this.url).port);
  }

  /** In order. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** As `kill -9` does. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}
