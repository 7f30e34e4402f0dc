// What can be said on the command line.

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Keeps the folder with the logs of the workers, and says where it is. */
  readonly keep: boolean;
  /** Fails the run for slow recoveries too; only where nothing else keeps the machine busy. */
  readonly judgesTimes: boolean;
  /** Asks every waiting item why, not some; everybody stands still meanwhile, so recoveries take longer. */
  readonly explainsAll: boolean;
  /** Items in a worker's hands at a time. */
  readonly concurrency: number;
}

export const USUAL_CONCURRENCY = 40;

export const USAGE =
  "usage: npm run chaos -- --seconds N [--seed S] [--concurrency C] [--judge-times] [--explain-all] [--keep]   (N from 5 to 3600)";

/** A sentence instead of options when they make no sense. */
export function readOptions(args: readonly string[], seedOfTheDay: number): ChaosOptions | string {
  const given = new Map<string, string>();
  let keep = false;
  let judgesTimes = false;
  let explainsAll = false;
  for (let index = 0; index < args.length; index += 1) {
    const name = args[index];
    if (name === "--keep") keep = true;
    else if (name === "--judge-times") judgesTimes = true;
    else if (name === "--explain-all") explainsAll = true;
    else if (name === "--seconds" || name === "--seed" || name === "--concurrency") {
      index += 1;
      given.set(name, args[index] ?? "");
    } else return `chaos does not know ${name}\n${USAGE}`;
  }
  const seconds = Number(given.get("--seconds") ?? "20");
  const seed = Number(given.get("--seed") ?? seedOfTheDay);
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 3_600) return `--seconds is not usable\n${USAGE}`;
  if (!Number.isSafeInteger(seed) || seed < 0) return `--seed is not a whole number\n${USAGE}`;
  const concurrency = Number(given.get("--concurrency") ?? USUAL_CONCURRENCY);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 10_000)
    return `--concurrency is not usable\n${USAGE}`;
  return { seconds, seed, keep, judgesTimes, explainsAll, concurrency };
}
