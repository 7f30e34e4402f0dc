// A tenth of the full size, which `npm run proof` measures.

import { expect, it } from "vitest";
import { measureClaims, tooDear } from "../scale/claim-cost.ts";
import { startBigServer } from "../scale/database.ts";

it("claiming costs the same among very many rows, and under an old snapshot", async () => {
  const server = await startBigServer();
  try {
    const cost = await measureClaims(server, 100_000, 50_000);
    expect(tooDear(cost), JSON.stringify(cost)).toEqual([]);
    // Else the snapshot held nothing back, and the floor was not put to the test.
    expect(cost.withoutFloor).toBeGreaterThan(2 * cost.few);
  } finally {
    await server.stop();
  }
});
