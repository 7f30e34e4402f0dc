// What can be said on the command line. Pure.

export interface RunOptions {
  readonly requests: number;
  /** How long things are broken for; then all is mended. */
  readonly seconds: number;
  readonly seed: number;
  /** Whether the wall time counts, which a busy machine cannot keep. */
  readonly judgesTimes: boolean;
  /** Keeps the folder of the world, and says where it is. */
  readonly keep: boolean;
}

export const USAGE =
  "usage: node test/media/requests-cli.ts [--requests N] [--minutes M | --seconds S] [--seed S] [--judge-times] [--keep]   (N from 10 to 800)";

/** A sentence instead of options when they make no sense. */
export function readOptions(args: readonly string[], seedOfTheDay: number): RunOptions | string {
  const given = new Map<string, number>();
  let keep = false;
  let judgesTimes = false;
  for (let index = 0; index < args.length; index += 1) {
    const name = args[index] ?? "";
    if (name === "--keep") keep = true;
    else if (name === "--judge-times") judgesTimes = true;
    else if (["--requests", "--minutes", "--seconds", "--seed"].includes(name)) {
      index += 1;
      given.set(name, Number(args[index] ?? Number.NaN));
    } else return `${name} is not known\n${USAGE}`;
  }
  const requests = given.get("--requests") ?? 300;
  const seconds = given.get("--seconds") ?? (given.get("--minutes") ?? 10) * 60;
  const seed = given.get("--seed") ?? seedOfTheDay;
  if (!Number.isInteger(requests) || requests < 10 || requests > 800) return `--requests is not usable\n${USAGE}`;
  if (!Number.isInteger(seconds) || seconds < 10 || seconds > 3_600) return `the time is not usable\n${USAGE}`;
  if (!Number.isSafeInteger(seed) || seed < 0) return `--seed is not a whole number\n${USAGE}`;
  return { requests, seconds, seed, judgesTimes, keep };
}
