// Sends what was chosen, one lot after the other, and remembers what came of it, also while another page is looked at.

import type { Uploaded } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { words } from "../../text/words.ts";
import {
  answered,
  begin,
  canAgain,
  ended,
  type Given,
  isOfFiles,
  isOpen,
  nextBatch,
  progressed,
  refusedAll,
  type Upload,
  type UploadLimits,
} from "./uploads.ts";

export interface UploaderPorts {
  readonly send: (
    batch: readonly Upload[],
    sending: { readonly onSent: (share: number) => void; readonly signal: AbortSignal },
  ) => Promise<Uploaded>;
  /** The server's time. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Something may have been stored. */
  readonly onAnswer: () => void;
}

export interface Uploads {
  readonly all: readonly Upload[];
  /** Until when the server wants no more, and what it said. */
  readonly held: { readonly until: string; readonly sentence: string } | null;
}

const TOO_MANY = 429;
/** Where the server does not say when to come again. */
const HELD_MS = 30_000;

export class Uploader {
  readonly #ports: UploaderPorts;
  readonly #watchers = new Set<() => void>();
  #uploads: Uploads = { all: [], held: null };
  #limits: UploadLimits = { fileBytes: 0, files: 1 };
  #underway: AbortController | undefined;
  #last = 0;

  constructor(ports: UploaderPorts) {
    this.#ports = ports;
  }

  readonly watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };
  readonly uploads = (): Uploads => this.#uploads;

  add(given: readonly Given[], mapping: string, limits: UploadLimits): void {
    this.#limits = limits;
    const more = given.map((one) => begin(one, ++this.#last, mapping, limits));
    this.#set([...this.#uploads.all, ...more]);
    void this.#run();
  }

  /** Those that are not sent yet; what is on its way is stopped altogether. */
  remove(key: number): void {
    this.#set(this.#uploads.all.filter((one) => one.key !== key || one.phase !== "waiting"));
  }

  again(key?: number): void {
    const meant = this.#uploads.all.filter((one) => canAgain(one) && (key === undefined || one.key === key));
    this.#set(ended(this.#uploads.all, meant, { phase: "waiting", sentence: null }));
    void this.#run();
  }

  stop(): void {
    const open = this.#uploads.all.filter(isOpen);
    this.#underway?.abort();
    this.#set(ended(this.#uploads.all, open, { phase: "stopped", sentence: words.documents.uploads.stopped }));
  }

  clear(): void {
    this.#set(this.#uploads.all.filter(isOpen));
  }

  async #run(): Promise<void> {
    if (this.#underway !== undefined) return;
    const underway = new AbortController();
    this.#underway = underway;
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      await this.#send(batch, underway.signal);
      if (underway.signal.aborted) break;
    }
    this.#underway = undefined;
    this.#set(this.#uploads.all, null);
    // What was added while the last one was being stopped.
    if (underway.signal.aborted && this.#next().length > 0) void this.#run();
  }

  #next(): readonly Upload[] {
    return nextBatch(this.#uploads.all, this.#limits);
  }

  async #send(batch: readonly Upload[], signal: AbortSignal): Promise<void> {
    const onSent = (share: number) => {
      if (!signal.aborted) this.#set(progressed(this.#uploads.all, batch, share));
    };
    onSent(0);
    try {
      const came = await this.#ports.send(batch, { onSent, signal });
      this.#set(answered(this.#uploads.all, batch, came));
    } catch (error) {
      if (!signal.aborted) await this.#fail(batch, error, signal);
    } finally {
      this.#ports.onAnswer();
    }
  }

  async #fail(batch: readonly Upload[], error: unknown, signal: AbortSignal): Promise<void> {
    const sentence = error instanceof Error ? error.message : words.errors.noAnswer;
    if (error instanceof Refusal && isOfFiles(error.problem))
      return this.#set(refusedAll(this.#uploads.all, batch, error.problem));
    if (!(error instanceof Refusal) || error.status !== TOO_MANY)
      return this.#set(ended(this.#uploads.all, batch, { phase: "failed", sentence }));
    const { retryAfter } = error.problem;
    const ms = retryAfter === undefined ? HELD_MS : Math.max(1, retryAfter) * 1_000;
    const until = new Date(this.#ports.now() + ms).toISOString();
    this.#set(ended(this.#uploads.all, batch, { phase: "waiting", sentence: null }), { until, sentence });
    await this.#ports.sleep(ms, signal);
    this.#set(this.#uploads.all, null);
  }

  #set(all: readonly Upload[], held = this.#uploads.held): void {
    this.#uploads = { all, held };
    for (const one of this.#watchers) one();
  }
}
