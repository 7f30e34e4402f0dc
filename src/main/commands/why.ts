// `sluice why <item>`: why it stands where it stands, and when it will be done.

import { type ItemId, openSluice, whyText } from "../../engine/index.ts";
import type { Config } from "../config.ts";
import { stderrLogger } from "../log.ts";

export async function whyCommand(config: Config, id: string): Promise<void> {
  const sluice = await openSluice({
    pipelines: [],
    worker: false,
    pooled: config.pooled,
    log: stderrLogger,
    ...(config.database === undefined ? {} : { database: config.database }),
  });
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // What is not an item's id is refused by the first that reads it.
    const item = await sluice.item(id as ItemId);
    const explanation = await sluice.explain(item.id, { timeZone });
    const estimate = item.finishedAt === null ? (await sluice.estimate(item.id)).sentence : null;
    const text = whyText({ ...item, item: item.id, explanation, estimate }, { now: new Date(), timeZone });
    process.stdout.write(`${text}\n`);
  } finally {
    await sluice.close();
  }
}
