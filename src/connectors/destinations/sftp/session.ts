// One connection to an SSH server, and questions of SFTP over it. Every question ends: with an answer, when nothing comes for a while,
// when the connection is lost, or when the caller has enough of it.

import { createHash } from "node:crypto";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { type Fault, permanent } from "../../../engine/index.ts";
import { connectFault, lostFault, sftpFault } from "./sftp-faults.ts";

export interface SessionOptions {
  readonly service: string;
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  /** As it was seen before; null where nobody has been there yet. */
  readonly hostKey: string | null;
  readonly connectMs: number;
  /** Without an answer to a question. */
  readonly idleMs: number;
}

type Answered<T> = (error: Error | null | undefined, value?: T) => void;

export class Session {
  readonly sftp: SFTPWrapper;
  /** As in "SHA256:47DEQpj8…". */
  readonly hostKey: string;
  readonly #client: Client;
  readonly #options: SessionOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting = new Set<(fault: unknown) => void>();
  #lost: Fault | undefined;

  private constructor(
    client: Client,
    sftp: SFTPWrapper,
    hostKey: string,
    options: SessionOptions,
    signal?: AbortSignal,
  ) {
    this.#client = client;
    this.sftp = sftp;
    this.hostKey = hostKey;
    this.#options = options;
    this.#signal = signal;
    const lose = (cause?: unknown) => this.#giveUp(lostFault(options.service, cause));
    client.on("error", lose).on("close", () => lose());
    sftp.on("error", lose).on("close", () => lose());
    signal?.addEventListener("abort", this.#onAbort);
  }

  static async open(options: SessionOptions, signal?: AbortSignal): Promise<Session> {
    signal?.throwIfAborted();
    const client = new ssh2.Client();
    const seen = { hostKey: "" };
    try {
      await connected(client, options, seen, signal);
      const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
        client.sftp((error, wrapper) => (error === undefined || error === null ? resolve(wrapper) : reject(error)));
      });
      return new Session(client, sftp, seen.hostKey, options, signal);
    } catch (error) {
      client.on("error", () => undefined);
      client.destroy();
      signal?.throwIfAborted();
      if (options.hostKey !== null && seen.hostKey !== "" && seen.hostKey !== options.hostKey)
        throw strangeKey(options, seen.hostKey);
      throw connectFault(error, options.service);
    }
  }

  /** One question of the protocol. */
  async ask<T = void>(what: string, question: (answered: Answered<T>) => void): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost;
    const { service, idleMs } = this.#options;
    return await new Promise<T>((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(fail);
        end();
      };
      const fail = (fault: unknown) => settle(() => reject(fault));
      const timer = setTimeout(() => this.#giveUp(lostFault(service, new Error(`no answer for ${idleMs} ms`))), idleMs);
      this.#waiting.add(fail);
      const answered: Answered<T> = (error, value) =>
        // Who asks for a value gets one; who asks for none looks at nothing.
        error === undefined || error === null
          ? settle(() => resolve(value as T))
          : fail(sftpFault(error, what, service));
      try {
        question(answered);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Of what not every server can; null where this one cannot. The library refuses that before it asks. */
  async askIfAble<T>(what: string, question: (answered: Answered<T>) => void): Promise<T | null> {
    const unable = Symbol("unable");
    const answer = await this.ask<T | typeof unable>(what, (answered) => {
      try {
        question(answered as Answered<T>);
      } catch {
        answered(null, unable);
      }
    });
    return answer === unable ? null : (answer as T);
  }

  end(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#lost ??= lostFault(this.#options.service);
    this.#client.end();
    this.#client.destroy();
  }

  readonly #onAbort = (): void => this.#giveUp(this.#signal?.reason);

  #giveUp(fault: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = lostFault(this.#options.service, fault);
    for (const fail of [...this.#waiting]) fail(fault);
    this.#client.destroy();
  }
}

async function connected(
  client: Client,
  options: SessionOptions,
  seen: { hostKey: string },
  signal?: AbortSignal,
): Promise<void> {
  const { host, port, username, password, privateKey, passphrase, connectMs } = options;
  const config: ConnectConfig = {
    ...{ host, port, username, readyTimeout: connectMs, keepaliveInterval: 10_000, keepaliveCountMax: 3 },
    ...(password === undefined ? {} : { password }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(passphrase === undefined ? {} : { passphrase }),
    hostVerifier: (key: Buffer) => {
      seen.hostKey = fingerprint(key);
      return options.hostKey === null || options.hostKey === seen.hostKey;
    },
  };
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const over = (end: () => void) => {
      signal?.removeEventListener("abort", onAbort);
      end();
    };
    client
      .once("ready", () => over(resolve))
      .once("error", (error) => over(() => reject(error)))
      .once("close", () => over(() => reject(new Error("the connection was closed"))))
      .connect(config);
  });
}

/** As ssh-keygen shows it. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

function strangeKey({ service, hostKey }: SessionOptions, seen: string): Fault {
  const why = `${service} shows another host key than before: ${seen}, and not ${hostKey}`;
  return permanent("HOST_KEY_CHANGED", why, { service, breaker: "none" });
}
