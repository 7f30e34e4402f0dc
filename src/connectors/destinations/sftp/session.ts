// One connection to an SSH server, and questions of SFTP over it. Every question ends: with an answer, when nothing comes for a while,
// when the connection is lost, or when the caller has enough of it.

import type { Socket } from "node:net";
import type { Client, SFTPWrapper } from "ssh2";
import type { SessionLimits } from "./options.ts";
import { lostFault, sftpFault } from "./sftp-faults.ts";

type Answered<T> = (error: Error | null | undefined, value?: T) => void;

export interface Line {
  readonly socket: Socket;
  readonly client: Client;
  readonly sftp: SFTPWrapper;
  /** As in "SHA256:47DEQpj8…". */
  readonly hostKey: string;
}

export class Session {
  readonly sftp: SFTPWrapper;
  readonly hostKey: string;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #limits: SessionLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting = new Set<(fault: unknown) => void>();
  readonly #ended = new AbortController();
  #heardAt: number;
  /** Why nothing can be asked any more. */
  #lost: { readonly fault: unknown } | undefined;

  constructor({ client, sftp, hostKey, socket }: Line, limits: SessionLimits, signal?: AbortSignal) {
    this.#client = client;
    this.#socket = socket;
    this.sftp = sftp;
    this.hostKey = hostKey;
    this.#limits = limits;
    this.#signal = signal;
    this.#heardAt = limits.clock.monotonic();
    const lose = (cause?: unknown) => this.#giveUp(lostFault(limits.service, cause));
    client.on("error", lose).on("close", () => lose());
    sftp.on("error", lose).on("close", () => lose());
    signal?.addEventListener("abort", this.#onAbort);
    void this.#watch();
  }

  /** One question of the protocol. */
  async ask<T = void>(what: string, question: (answered: Answered<T>) => void): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost.fault;
    const { service, clock } = this.#limits;
    // An answer is due from now on, if none was before.
    if (this.#waiting.size === 0) this.#heardAt = clock.monotonic();
    return await new Promise<T>((resolve, reject) => {
      const fail = (fault: unknown) => {
        this.#waiting.delete(fail);
        reject(fault);
      };
      const answered: Answered<T> = (error, value) => {
        this.#heardAt = clock.monotonic();
        if (error !== undefined && error !== null) return fail(sftpFault(error, what, service));
        this.#waiting.delete(fail);
        resolve(value as T); // who asks for a value gets one; who asks for none looks at nothing
      };
      this.#waiting.add(fail);
      this.#holdBack();
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
    this.#giveUp(lostFault(this.#limits.service));
  }

  /** The library writes every packet in three pieces: as one, and with those of the same moment, it takes a fourth of the time. */
  #holdBack(): void {
    const socket = this.#socket;
    if (socket.writableCorked > 0) return;
    socket.cork();
    queueMicrotask(() => socket.uncork());
  }

  readonly #onAbort = (): void => this.#giveUp(this.#signal?.reason);

  /** A server that drops a connection without a word is told from a slow one by this alone. */
  async #watch(): Promise<void> {
    const { clock, idleMs, service } = this.#limits;
    const quietMs = this.#waiting.size === 0 ? 0 : clock.monotonic() - this.#heardAt;
    if (quietMs >= idleMs) return this.#giveUp(lostFault(service, new Error(`no answer for ${idleMs} ms`)));
    await clock.sleep(idleMs - quietMs, this.#ended.signal);
    if (!this.#ended.signal.aborted) void this.#watch();
  }

  #giveUp(fault: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = { fault };
    this.#ended.abort("ended");
    this.#signal?.removeEventListener("abort", this.#onAbort);
    for (const fail of [...this.#waiting]) fail(fault);
    this.#client.destroy();
  }
}
