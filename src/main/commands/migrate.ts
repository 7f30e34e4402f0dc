import { openSluice } from "../../engine/index.ts";
import type { Config } from "../config.ts";
import { stderrLogger } from "../log.ts";

/** Opening brings the schema up to date; there is nothing else to do. */
export async function migrateCommand(config: Config): Promise<void> {
  const sluice = await openSluice({
    pipelines: [],
    worker: false,
    pooled: config.pooled,
    log: stderrLogger,
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  await sluice.close();
  process.stdout.write("the schema is up to date\n");
}
