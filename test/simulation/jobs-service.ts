// A service outside, with its own truth: which jobs it was asked for, under which key, and what really became of them. What
// it says of them, and when, is another matter: it is slow, goes down, forgets, lies and repeats itself.

import { permanent, type Seen, transient, unavailable } from "../../src/engine/index.ts";
import type { Listed } from "../../src/engine/pipeline/outside.ts";
import { Dice } from "./dice.ts";

export interface Job {
  readonly ref: string;
  readonly key: string;
  readonly item: string;
  readonly createdAt: number;
  readonly endsAt: number;
  end: "done" | "failed" | "never";
  /** Cancelled, or lost by the service itself. */
  isGone: boolean;
  /** Not found until then, though it goes on. */
  hiddenUntil: number;
}

export type CallKind = "start" | "adopt" | "look" | "cancel" | "list" | "act" | "probe";

/** What can go wrong, and how often in the middle: each seed has its own measure of each. */
const FAULTS = {
  refuse: 0.03, // not reachable for one call
  error: 0.03, // answers with an error, and did nothing
  busy: 0.02, // 429
  auth: 0.004, // refuses our credentials
  reject: 0.03, // never accepts this one
  lost: 0.06, // did it, and its answer is lost
  slow: 0.08,
  down: 0.012, // goes down for a while, and forgets for a while what it has when it comes back
  vanish: 0.05, // loses a job
  hide: 0.06, // does not find a job for a while
  fail: 0.12, // a job fails
  stall: 0.06, // a job never ends
  early: 0.15, // says "done" before it is
  lie: 0.1, // says something else than it knows
  nonsense: 0.1, // progress that cannot be
  badLook: 0.05, // leaves one out, or answers with something else
  callback: 0.4, // tells the end by itself, up to three times
} as const;

type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[]; // Object.keys forgets the key type of a constant

const NONE = Object.fromEntries(NAMES.map((fault) => [fault, 0])) as Record<Fault, number>;
export type ServiceFaults = Readonly<Partial<Record<Fault, number>>>;

export class JobsService {
  readonly name: string;
  /** Whether a second start under the same key is the same job. Of the others, only asking before helps. */
  readonly isIdempotent: boolean;
  readonly dice: Dice;
  readonly jobs = new Map<string, Job>();
  readonly #rates: Record<Fault, number>;
  readonly #now: () => number;
  #downFrom = 0;
  #downUntil = 0;
  #forgetsUntil = 0;
  isHealed = false;

  constructor(seed: number, name: string, now: () => number, given?: ServiceFaults) {
    this.name = name;
    this.#now = now;
    const own = new Dice(seed, "service", name);
    this.isIdempotent = own.chance(0.6);
    const rated = NAMES.map((fault) => [fault, FAULTS[fault] * own.pick([0, 1, 1, 3])]);
    const drawn = Object.fromEntries(rated) as Record<Fault, number>;
    this.#rates = given === undefined ? drawn : { ...NONE, ...given };
    this.dice = own;
    if (given === undefined && own.chance(0.4)) this.#goDown(own.between(1_000, 9_000), own.between(3_000, 20_000));
  }

  has(fault: Fault): boolean {
    return !this.isHealed && this.dice.chance(this.#rates[fault]);
  }

  #goDown(from: number, ms: number): void {
    this.#downFrom = from;
    this.#downUntil = from + ms;
    this.#forgetsUntil = this.#downUntil + this.dice.pick([0, 1_000, 6_000]);
  }

  /** Throws where the call comes to nothing. */
  admit(kind: CallKind): void {
    if (this.isHealed) return;
    const now = this.#now();
    if (this.has("down")) this.#goDown(now, this.dice.between(2_000, 25_000));
    if (now >= this.#downFrom && now < this.#downUntil) {
      if (this.dice.chance(0.3)) throw transient("TIMEOUT", "no answer");
      throw unavailable("REFUSED", "connection refused");
    }
    if (this.has("refuse")) throw unavailable("REFUSED", "connection refused");
    if (this.has("error")) throw transient("ERROR_500", "it broke");
    if (this.has("busy")) throw unavailable("BUSY", "later", { retryAfter: `${this.dice.between(1, 4)}s` });
    if (this.has("auth")) throw unavailable("AUTH", "who are you?");
    if ((kind === "start" || kind === "act") && this.has("reject")) throw permanent("REJECTED", "never");
  }

  start(key: string, item: string): Job {
    const known = this.isIdempotent ? this.underKey(key)[0] : undefined;
    if (known !== undefined) return known;
    const now = this.#now();
    const end = this.has("stall") ? "never" : this.has("fail") ? "failed" : "done";
    const ref = `${this.name}-${this.jobs.size + 1}`;
    const job: Job = {
      ref,
      key,
      item,
      createdAt: now,
      endsAt: now + this.dice.between(300, 9_000),
      end,
      isGone: false,
      hiddenUntil: 0,
    };
    this.jobs.set(ref, job);
    return job;
  }

  /** Everything it ever had under this key. */
  underKey(key: string): Job[] {
    return [...this.jobs.values()].filter((job) => job.key === key);
  }

  /** What goes on right now, whoever knows of it. */
  alive(): Job[] {
    return [...this.jobs.values()].filter((job) => this.goesOn(job));
  }

  goesOn(job: Job): boolean {
    return !job.isGone && (job.end === "never" || this.#now() < job.endsAt);
  }

  adopt(key: string): string | null {
    if (this.#forgets()) return null;
    return this.underKey(key).find((job) => !job.isGone)?.ref ?? null;
  }

  cancel(ref: string): void {
    const job = this.jobs.get(ref);
    if (job !== undefined) job.isGone = true;
  }

  list(): Listed[] {
    if (this.#forgets()) return [];
    return [...this.jobs.values()]
      .filter((job) => !job.isGone)
      .map((job) => ({ ref: job.ref, key: job.key, state: this.#truth(job).state }));
  }

  look(refs: readonly string[]): Seen[] {
    const seen = refs.map((ref) => this.#tell(ref));
    if (!this.has("badLook")) return seen;
    return this.dice.pick<unknown>([seen.slice(1), null, [{ ref: 7 }]]) as Seen[];
  }

  #tell(ref: string): Seen {
    const job = this.jobs.get(ref);
    if (job !== undefined && this.has("vanish")) job.isGone = true;
    if (job !== undefined && this.goesOn(job) && this.has("hide")) {
      // And it hangs: given up and started anew elsewhere, it would go on for ever.
      job.end = "never";
      job.hiddenUntil = this.#now() + this.dice.between(2_000, 9_000);
    }
    const isHidden = job !== undefined && !this.isHealed && this.#now() < job.hiddenUntil;
    if (job === undefined || job.isGone || isHidden || this.#forgets()) return { ref, state: "missing" };
    const truth = this.#truth(job);
    if (this.has("nonsense")) {
      const progress = this.dice.pick([Number.NaN, -3, 250, Number.POSITIVE_INFINITY]);
      return { ...truth, progress, marks: { bytes: this.dice.pick([Number.NaN, -1, 1e300]) } };
    }
    if (truth.state === "running" && this.has("early")) return { ref, state: "done", output: { ref } };
    if (this.has("lie")) return { ref, state: this.dice.pick(["queued", "paused", "running"]), progress: 1 };
    return truth;
  }

  #truth(job: Job): Seen {
    const { ref, createdAt, endsAt, end } = job;
    if (this.goesOn(job)) {
      const share = Math.min(0.4, (this.#now() - createdAt) / (endsAt - createdAt));
      return { ref, state: "running", progress: share * 100, marks: { bytes: Math.round(share * 1_000) } };
    }
    return end === "failed"
      ? { ref, state: "failed", fault: transient("BROKEN", "it broke") }
      : { ref, state: "done", output: { ref } };
  }

  #forgets(): boolean {
    const now = this.#now();
    return !this.isHealed && now >= this.#downUntil && now < this.#forgetsUntil;
  }
}
