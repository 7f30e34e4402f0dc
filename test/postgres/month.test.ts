// A fiftieth of the full size, which `npm run proof` lives through.

import { expect, it } from "vitest";
import { startBigServer } from "../scale/database.ts";
import { liveThroughMonth, whatGrew } from "../scale/month.ts";

it("a month of a busy installation leaves tables and claims as large as they were, and nothing that is wanted missing", async () => {
  const server = await startBigServer();
  try {
    const month = await liveThroughMonth(server, 20_000);
    expect(whatGrew(month), JSON.stringify(month)).toEqual([]);
    // Else nothing was removed, and nothing put to the test.
    expect(month.days.at(-1)?.items).toBeLessThan(month.items / 4);
  } finally {
    await server.stop();
  }
});
