#!/usr/bin/env node
// The command line. The only place, with its neighbours here, that reads arguments and the environment.

import { parseArgs } from "node:util";
import { SluiceError } from "../engine/index.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { whyCommand } from "./commands/why.ts";
import { workCommand } from "./commands/work.ts";
import { ConfigError, readConfig } from "./config.ts";
import { packageVersion } from "./version.ts";

const HELP = `sluice: durable pipelines for work that happens elsewhere

  sluice up [module]       starts the database (its own in ./data unless DATABASE_URL is set) and works on the
                           pipelines that the module exports; without a module it only keeps the database up
  sluice worker <module>   works on the module's pipelines on a database that is already there (needs DATABASE_URL)
  sluice server [module]   the HTTP API on a database that workers share; prints its address, and at first a set-up link
  sluice migrate           brings the database's schema up to date and ends
  sluice why <item>        why an item stands where it stands, and when it will be done
  sluice doctor            checks that the engine keeps its own rules; ends with 1 where it does not

  --database <url|folder>  instead of DATABASE_URL
  --version, --help

Environment:
  DATABASE_URL             postgres://… ; unset: a PostgreSQL of its own in ./data
  DATABASE_POOLED          "true" when DATABASE_URL leads through a pooler in transaction mode
  WORKER_NAME              shown in history; default the host's name
  WORKER_CONCURRENCY       items at a time, 1 to 100000; default 100
  WORKER_LEASE_TTL_SEC     a silent worker is dead after this many seconds, 5 to 3600; default 8
  WORKER_GRACE_SEC         how long to wait for visits when stopping, 0 to 3600; default 30
  SERVER_HOST              where the server listens; default 127.0.0.1, which only this machine reaches
  SERVER_PORT              default 7470; 0 takes any that is free
  SERVER_HOSTS             names it is known by on the internet, with commas; addresses and local names need none
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      version: { type: "boolean", short: "v" },
      help: { type: "boolean", short: "h" },
      database: { type: "string" },
    },
  });
  const [command, module, ...rest] = positionals;
  if (values.version === true) return say(await packageVersion());
  if (values.help === true || command === undefined) return say(HELP.trimEnd());
  if (rest.length > 0) throw new ConfigError(`unexpected: ${rest.join(" ")}`);
  const config = readConfig(process.env, values.database);
  switch (command) {
    case "up":
      return await workCommand(config, module);
    case "worker":
      if (module === undefined) throw new ConfigError("sluice worker needs the module that exports the pipelines");
      if (config.database === undefined) throw new ConfigError("sluice worker needs DATABASE_URL or --database");
      return await workCommand(config, module);
    case "server":
      // Loaded only now: what a dead worker held waits for this file to load in its children, and they serve nobody.
      return await (await import("./commands/server.ts")).serverCommand(config, module);
    case "migrate":
      return await migrateCommand(config);
    case "why":
      if (module === undefined) throw new ConfigError("sluice why needs the id of an item: itm_…");
      return await whyCommand(config, module);
    case "doctor":
      if (module !== undefined) throw new ConfigError(`unexpected: ${module}`);
      return await doctorCommand(config);
    default:
      throw new ConfigError(`there is no command "${command}"; sluice --help lists them`);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  const isOurs = error instanceof SluiceError || error instanceof ConfigError || isUsage(error);
  // What we say on purpose is for people; anything else is a bug, and its stack is what matters.
  process.stderr.write(`sluice: ${isOurs ? (error as Error).message : ((error as Error)?.stack ?? error)}\n`);
  process.exit(isOurs ? 2 : 1);
});

function isUsage(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
