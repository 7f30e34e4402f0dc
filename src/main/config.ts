// The environment, read once: each name with its unit, default and bounds. All problems are told at once.

export class ConfigError extends Error {}

export interface Config {
  /** Undefined: a PostgreSQL of its own in ./data. */
  readonly database: string | undefined;
  readonly pooled: boolean;
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly hosts: readonly string[];
  };
  readonly worker: {
    readonly name: string | undefined;
    readonly concurrency: number;
    readonly deadAfterMs: number;
    readonly graceMs: number;
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN = [
  "WORKER_NAME",
  "WORKER_CONCURRENCY",
  "WORKER_LEASE_TTL_SEC",
  "WORKER_GRACE_SEC",
  "DATABASE_URL",
  "DATABASE_POOLED",
  "SERVER_HOST",
  "SERVER_PORT",
  "SERVER_HOSTS",
];
const OURS = /^(WORKER|DATABASE|SERVER)_/;

export function readConfig(environment: Environment, database?: string): Config {
  const problems: string[] = [];
  const number = (name: string, fallback: number, lowest: number, highest: number): number => {
    const text = environment[name];
    if (text === undefined || text === "") return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    problems.push(`${name} must be a whole number from ${lowest} to ${highest}, got "${text}"`);
    return fallback;
  };
  const flag = (name: string): boolean => {
    const text = environment[name] ?? "";
    if (!["", "true", "false"].includes(text)) problems.push(`${name} must be "true" or "false", got "${text}"`);
    return text === "true";
  };
  for (const name of Object.keys(environment)) {
    if (!OURS.test(name) || KNOWN.includes(name)) continue;
    const meant = KNOWN.find((known) => distance(known, name) <= 3);
    if (meant !== undefined) problems.push(`${name} is not known; did you mean ${meant}?`);
  }
  const url = database ?? environment.DATABASE_URL;
  const config: Config = {
    database: url === "" ? undefined : url,
    pooled: flag("DATABASE_POOLED"),
    server: {
      host: environment.SERVER_HOST || "127.0.0.1",
      port: number("SERVER_PORT", 7470, 0, 65_535),
      hosts: (environment.SERVER_HOSTS ?? "").split(/[\s,]+/).filter((name) => name !== ""),
    },
    worker: {
      name: environment.WORKER_NAME === "" ? undefined : environment.WORKER_NAME,
      concurrency: number("WORKER_CONCURRENCY", 100, 1, 100_000),
      deadAfterMs: number("WORKER_LEASE_TTL_SEC", 8, 5, 3_600) * 1_000,
      graceMs: number("WORKER_GRACE_SEC", 30, 0, 3_600) * 1_000,
    },
  };
  if (problems.length > 0) throw new ConfigError(problems.join("\n        "));
  return config;
}

/** Letters to insert, drop or change to make one word of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
