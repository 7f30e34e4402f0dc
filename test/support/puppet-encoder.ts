// An encoder that says what a test has it say, to the desk itself.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { EncoderDesk } from "../../src/apps/media/encoding/desk.ts";
import type { BoardWord, Caller, EncoderWord, JobReport } from "../../src/apps/media/index.ts";
import type { Tables } from "../../src/engine/index.ts";

type Task = BoardWord["begin"][number];
interface Held {
  readonly task: Task;
  words: number;
}

export type Mood =
  /** A quarter of the film with every word. */
  | "works"
  /** It speaks, and nothing moves. */
  | "still"
  /** It is not heard of. */
  | "silent"
  | "larger"
  /** What it made is not what it says it made. */
  | "lies"
  | { readonly fails: NonNullable<JobReport["failure"]> };

export class PuppetEncoder {
  readonly name: string;
  mood: Mood = "works";
  /** Every task that it was given, by name. */
  readonly given: string[] = [];
  readonly dropped: string[] = [];
  readonly jobs = new Map<string, Held>();
  readonly #desk: EncoderDesk;
  readonly #tables: () => Promise<Tables>;
  readonly #caller: Caller;
  readonly #codecs: readonly string[];
  readonly #slots: number;
  #life = 1;
  #isKnown = false;

  constructor(
    name: string,
    { desk, tables }: { readonly desk: EncoderDesk; readonly tables: () => Promise<Tables> },
    {
      codecs = ["h264", "hevc", "av1"],
      slots = 5,
      key = null,
    }: { readonly codecs?: readonly string[]; readonly slots?: number; readonly key?: string | null } = {},
  ) {
    this.name = name;
    this.#caller = { name, place: "remote", key };
    this.#desk = desk;
    this.#tables = tables;
    this.#codecs = codecs;
    this.#slots = slots;
  }

  /** Killed and started again: it knows nothing any more. */
  restart(): void {
    this.#life += 1;
    this.#isKnown = false;
    this.jobs.clear();
  }

  async speak(isLast = false): Promise<BoardWord | undefined> {
    if (this.mood === "silent") return undefined;
    for (const held of this.jobs.values()) if (this.mood !== "still") held.words += 1;
    const told = await this.#desk.hear(await this.#tables(), this.#caller, this.#word(isLast));
    this.#isKnown = true;
    for (const { key, turn } of [...told.taken, ...told.drop]) this.jobs.delete(`${key}.${turn}`);
    this.dropped.push(...told.drop.map(({ key }) => key));
    for (const task of told.begin) {
      const name = `${task.key}.${task.turn}`;
      if (this.jobs.has(name)) continue;
      this.given.push(task.profile.name);
      this.jobs.set(name, { task, words: 0 });
    }
    return told;
  }

  #word(isLast: boolean): EncoderWord {
    const self = { program: "ffmpeg", version: "7.0", codecs: this.#codecs, audioCodecs: ["aac"], hasNoNetwork: true };
    return {
      ...{
        life: String(this.#life),
        isFirst: !this.#isKnown,
        isLast,
        version: "0",
        slots: this.#slots,
        self,
        tried: null,
      },
      jobs: [...this.jobs.values()].map((held) => this.#report(held)),
    };
  }

  #report({ task, words }: Held): JobReport {
    const { key, turn } = task;
    const isOver = words >= WORDS;
    const frames = Math.min(words, WORDS) * 360;
    return {
      ...{ key, turn, reads: "seen", writes: "seen" },
      progress: {
        ...{ phase: "encoding", marks: { frames }, percent: Math.min(100, (100 * words) / WORDS), frames },
        ...{ fps: 24, speed: 1, etaMs: 1_000, outBytes: frames },
      },
      result: isOver ? this.#result(task) : null,
      failure: isOver && typeof this.mood === "object" ? this.mood.fails : null,
    };
  }

  #result({ output: { path } }: Task): JobReport["result"] {
    if (typeof this.mood === "object") return null;
    if (this.mood === "larger") return { kind: "larger", reason: "it is larger than before" };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "encoded");
    return { kind: "made", bytes: this.mood === "lies" ? 1_000 : 7, durationMs: 60_000, width: 320, height: 180 };
  }
}

const WORDS = 4;
