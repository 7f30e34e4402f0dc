// An encoder that asks for work: it says who it is and how its jobs stand, begins what it is told, and lets go of what is another's. It does
// not matter to it whether the board is in this process or at the other end of a line.

import type { Encoder, EncoderAbout } from "../../../connectors/index.ts";
import { Fault, SluiceError } from "../../../engine/index.ts";
import { type Clock, type Logger, type Loop, loop, type Random, type Service, safeText } from "../../../kit/index.ts";
import { earOf } from "./agent-ear.ts";
import { AgentFolders, holds } from "./agent-files.ts";
import { AgentJob } from "./agent-job.ts";
import {
  type BoardWord,
  type EncoderSelf,
  type EncoderWord,
  type JobName,
  nameOf,
  type Speaker,
  type TrialReport,
} from "./conversation.ts";
import { PIECE_BYTES } from "./transfer.ts";

export interface AgentOptions {
  readonly speaker: Speaker;
  readonly encoder: Encoder;
  /** Tries its program out, each time anew. */
  readonly about: () => Promise<EncoderAbout>;
  /** For what is fetched and what is to be sent. */
  readonly work: string;
  readonly slots: number;
  /** Of what is fetched or sent at a time. */
  readonly pieceBytes?: number;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** It will not be let in as it is: another has its name, or its key is not good. */
  readonly refused?: (why: SluiceError) => void;
}

const TICK_MS = 250;
/** How often it looks at its own jobs: what has ended is told at once. */
const LOOK_MS = 1_000;
/** Where the board does not answer, or the program cannot be run. */
const TROUBLE_MS = 5_000;
const REFUSED: ReadonlySet<string> = new Set(["CONFLICT", "KEY_OF_ANOTHER", "AUTH", "HTTP_409", "HTTP_404"]);

export class EncodingAgent implements Service {
  readonly #options: AgentOptions;
  readonly #folders: AgentFolders;
  readonly #life: string;
  readonly #jobs = new Map<string, AgentJob>();
  readonly #loop: Loop;
  readonly #ear: Loop;
  #self: EncoderSelf | undefined;
  #isKnown = false;
  #tried: TrialReport | null = null;
  #lookAt = 0;
  #dueAt = 0;
  #trouble = "";

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#folders = new AgentFolders(options.work);
    this.#life = options.random.token().toString(16);
    this.#loop = loop(
      options.clock,
      TICK_MS,
      (signal) => this.#tick(signal),
      (error) => this.#troubled(error),
    );
    const { clock, speaker } = options;
    this.#ear = earOf({
      ...{ clock, speaker, heard: () => this.#speakSoon() },
      jobs: () => (this.#isKnown ? [...this.#jobs.values()].map(({ task }) => task) : undefined),
    });
  }

  async start(): Promise<void> {
    await this.#loop.start();
    await this.#ear.start();
  }

  /** Told to stop, it ends what it does and says goodbye: others have its jobs at once. Killed, its jobs go on and are found again. */
  async stop(): Promise<void> {
    await Promise.all([this.#ear.stop(), this.#loop.stop()]);
    // What it has just made stays: the board may know of it, though its answer never came.
    for (const job of this.#jobs.values()) await this.#attempt("leaving a job", () => job.forget());
    this.#jobs.clear();
    if (this.#isKnown) await this.#attempt("saying goodbye", () => this.#say({ isLast: true }));
    this.#isKnown = false;
  }

  async #tick(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonic() >= this.#lookAt) await this.#look();
    if (clock.monotonic() < this.#dueAt) return;
    // Where it goes wrong.
    this.#dueAt = clock.monotonic() + TROUBLE_MS;
    await this.round(signal);
  }

  /** One exchange with the board. */
  async round(signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await this.#look();
    const told = await this.#say({ isLast: false }, signal);
    if (this.#trouble !== "") this.#options.log.info("encoder.heard", { after: this.#trouble });
    this.#trouble = "";
    this.#dueAt = clock.monotonic() + told.againMs;
    await this.#heed(told);
  }

  async #look(): Promise<void> {
    const { clock, encoder } = this.#options;
    this.#lookAt = clock.monotonic() + LOOK_MS;
    const refs = [...this.#jobs.values()].flatMap(({ ref }) => (ref === null ? [] : [ref]));
    for (const seen of await encoder.look(refs)) this.#jobs.get(seen.ref)?.saw(seen);
  }

  #speakSoon(): void {
    this.#dueAt = 0;
    this.#loop.wake();
  }

  async #say({ isLast }: { readonly isLast: boolean }, signal?: AbortSignal): Promise<BoardWord> {
    const { speaker, version, slots, about } = this.#options;
    this.#self ??= selfOf(await about());
    const word: EncoderWord = {
      ...{ life: this.#life, isFirst: !this.#isKnown, isLast, version, slots, self: this.#self, tried: this.#tried },
      jobs: [...this.#jobs.values()].map((job) => job.report()),
    };
    const told = await speaker.say(word, signal);
    this.#tried = null;
    return told;
  }

  async #heed({ begin, drop, taken, trial }: BoardWord): Promise<void> {
    for (const name of taken) await this.#end(name, (job) => job.forget());
    for (const name of drop) await this.#end(name, (job) => job.drop());
    for (const task of begin) if (!this.#jobs.has(nameOf(task))) this.#begin(task);
    if (!this.#isKnown) await this.#clearLeftovers();
    this.#isKnown = true;
    if (trial !== null) await this.#try(trial);
  }

  #begin(task: BoardWord["begin"][number]): void {
    const { encoder, speaker, clock, pieceBytes = PIECE_BYTES } = this.#options;
    const changed = () => this.#speakSoon();
    this.#jobs.set(
      nameOf(task),
      new AgentJob(task, { encoder, speaker, clock, pieceBytes, folders: this.#folders, changed }),
    );
  }

  async #end(name: JobName, how: (job: AgentJob) => Promise<void>): Promise<void> {
    const job = this.#jobs.get(nameOf(name));
    if (job === undefined) return;
    await how(job);
    this.#jobs.delete(nameOf(name));
  }

  /** What an earlier life left and the board does not want of us. */
  async #clearLeftovers(): Promise<void> {
    const { encoder } = this.#options;
    await this.#folders.prepare();
    for (const { key } of await encoder.list("")) if (!this.#jobs.has(key)) await encoder.cancel(key);
    await this.#folders.clearAllBut(new Set(this.#jobs.keys()));
  }

  /** Somebody waits for it. */
  async #try({ trial, path, marker }: NonNullable<BoardWord["trial"]>): Promise<void> {
    const sees = await holds(path, marker);
    try {
      this.#self = selfOf(await this.#options.about());
      this.#tried = { trial, sees, self: this.#self, failure: null };
    } catch (error) {
      this.#tried = { trial, sees, self: null, failure: safeText(error, 300) };
    }
    this.#dueAt = 0;
  }

  #troubled(error: unknown): void {
    const { log, refused } = this.#options;
    const words = safeText(error, 300);
    // Said once, however long it lasts.
    if (words !== this.#trouble) log.warn("encoder.trouble", { error: words });
    this.#trouble = words;
    if (!(error instanceof SluiceError && isRefusal(error))) return;
    // Whoever has its name says goodbye by it.
    this.#isKnown = false;
    refused?.(error);
  }

  async #attempt(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#options.log.warn("encoder.trouble", { while: what, error: safeText(error, 300) });
    }
  }
}

const isRefusal = (error: SluiceError): boolean =>
  REFUSED.has(error.code) && (!(error instanceof Fault) || error.kind !== "transient");

function selfOf({ program, version, codecs, audioCodecs, hasNoNetwork }: EncoderAbout): EncoderSelf {
  return { program, version, codecs, audioCodecs, hasNoNetwork };
}
