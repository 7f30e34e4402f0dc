// `sluice migrate`: brings the schema up to date. Opening does; there is nothing else to do.

import { openSluice } from "../../engine/index.ts";
import { prepareServerTables } from "../../server/server-tables.ts";
import { prepareAppTables } from "../apps.ts";
import { loadConfig } from "../config/load.ts";
import { makeLog } from "../log.ts";
import { retentionOf } from "../open-options.ts";
import type { Call, Ended } from "./call.ts";

export async function migrate({ out, options }: Call): Ended {
  const { config } = await loadConfig(options);
  const database = config["database.url"];
  const sluice = await openSluice({
    pipelines: [],
    worker: false,
    pooled: config["database.pooled"],
    retention: retentionOf(config),
    log: makeLog({ level: config["log.level"], format: config["log.format"] }),
    ...(database === undefined ? {} : { database }),
  });
  try {
    await prepareServerTables(sluice.tables);
    await prepareAppTables(config, sluice.tables);
  } finally {
    await sluice.close();
  }
  if (out.isJson) out.json({ ok: true });
  else out.text("the schema is up to date");
  return undefined;
}
