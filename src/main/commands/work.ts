// `sluice up` and `sluice worker`: work on a module's pipelines until told to stop.

import { openSluice } from "../../engine/index.ts";
import type { Config } from "../config.ts";
import { loadModule, NOTHING } from "../load-module.ts";
import { stderrLogger } from "../log.ts";
import { stopSignal } from "../stop-signal.ts";

export async function workCommand(config: Config, module: string | undefined): Promise<void> {
  const { pipelines, finders, schedules } = module === undefined ? NOTHING : await loadModule(module);
  const { name, ...limits } = config.worker;
  const sluice = await openSluice({
    pipelines,
    finders,
    schedules,
    pooled: config.pooled,
    log: stderrLogger,
    worker:
      module === undefined
        ? false
        : {
            concurrency: limits.concurrency,
            deadAfter: limits.deadAfterMs,
            grace: limits.graceMs,
            ...(name === undefined ? {} : { name }),
          },
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  const named = pipelines.map((pipeline) => `${pipeline.name}@${pipeline.version}`).join(", ");
  process.stdout.write(named === "" ? "the database is up; no pipelines given\n" : `working on ${named}\n`);
  const signal = await stopSignal();
  process.stdout.write(`${signal}: handing back what is in hand\n`);
  await sluice.close();
}
