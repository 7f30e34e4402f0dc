// `sluice server`: the HTTP side alone, on a database that is shared with workers elsewhere.

import { openSluice, type Sluice } from "../../engine/index.ts";
import { serveSluice } from "../../server/serve.ts";
import type { Config } from "../config.ts";
import { loadModule, NOTHING } from "../load-module.ts";
import { stderrLogger } from "../log.ts";
import { stopSignal } from "../stop-signal.ts";
import { tracesWanted } from "../traces-wanted.ts";
import { packageVersion } from "../version.ts";

export async function serverCommand(config: Config, module: string | undefined): Promise<void> {
  // With the pipelines' code it knows their own words, weights and limits; without it manages all the same.
  const { pipelines } = module === undefined ? NOTHING : await loadModule(module);
  const sluice = await openSluice({
    pipelines,
    worker: false,
    pooled: config.pooled,
    log: stderrLogger,
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  try {
    await serveUntilStopped(sluice, config);
  } finally {
    await sluice.close();
  }
}

async function serveUntilStopped(sluice: Sluice, config: Config): Promise<void> {
  const { host, port, hosts } = config.server;
  const version = await packageVersion();
  const traces = tracesWanted(process.env);
  const served = await serveSluice({ sluice, host, port, hosts, log: stderrLogger, version, traces });
  process.stdout.write(`listening on ${served.url}\n`);
  if (served.setupUrl !== undefined)
    process.stdout.write(
      `nobody has an account yet; for the next 24 hours the first is made here: ${served.setupUrl}\n`,
    );
  const signal = await stopSignal();
  process.stdout.write(`${signal}: closing\n`);
  await served.close();
}
