// What can be said on the command line. Pure.

import { parseArgs } from "node:util";

export interface Options {
  readonly requests: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly chaosSeconds: number;
  readonly seed: number;
  /** Into the page; not what was shown in a hurry. */
  readonly writes: boolean;
}

const USAGE = "usage: npm run promises -- [--quick] [--requests N] [--seconds S] [--seed S] [--write]";

/** A sentence instead of options when they make no sense. */
export function readOptions(args: readonly string[], seedOfTheDay: number): Options | string {
  const options = {
    quick: { type: "boolean" },
    write: { type: "boolean" },
    requests: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { quick = false, write = false } = values;
    const requests = Number(values.requests ?? (quick ? 30 : 300));
    const seconds = Number(values.seconds ?? (quick ? 30 : 360));
    const seed = Number(values.seed ?? seedOfTheDay);
    if (!Number.isInteger(requests) || requests < 10 || requests > 800) return `--requests is from 10 to 800\n${USAGE}`;
    if (!Number.isInteger(seconds) || seconds < 10 || seconds > 3_600) return `--seconds is from 10 to 3600\n${USAGE}`;
    if (!Number.isSafeInteger(seed) || seed < 0) return `--seed is not a whole number\n${USAGE}`;
    const others = quick ? { megabytes: 100, chaosSeconds: 20 } : { megabytes: 500, chaosSeconds: 60 };
    return { requests, seconds, seed, writes: write && !quick, ...others };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}
