// Parts that succeed all or not at all.

import { afterEach, describe, expect, it } from "vitest";
import { permanent, transient } from "../../src/engine/pipeline/fault.ts";
import type { TestSluice } from "../../src/engine/testing/test-sluice.ts";
import { openFilms, Servers } from "../support/films.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function opened(...given: Parameters<typeof openFilms>) {
  const world = await openFilms(...given);
  open = world.t;
  return world;
}

describe("all or nothing", () => {
  it("cancels the rest and undoes what was done as soon as one part fails for good", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"], "all-or-nothing");
    await t.advance("1m");
    expect(client.calls.filter((call) => call.startsWith("remove"))).toEqual(["remove nas-1"]);
    expect(client.calls.filter((call) => call === "nas-3")).toHaveLength(1);
    expect([...client.copies.keys()]).toEqual([]);
    expect(await t.sluice.item(item)).toMatchObject({
      state: "failed",
      code: "PARTS_FAILED",
      message: "failed: nas-2 (EPERM, permission denied); cancelled: nas-3; undone: nas-1",
    });
    expect((await t.sluice.request(request)).status).toBe("FAILED");
  });

  it("undoes until it is confirmed, without spending an attempt", async () => {
    let refusals = 8;
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("remove nas-1", () => (refusals-- > 0 ? transient("EIO", "bad sector") : undefined));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    const explanation = await t.sluice.explain(item);
    expect(explanation).toMatchObject({ state: "waiting", reason: "withdrawing" });
    expect(explanation.sentence).toMatch(
      /^Failed for nas-2 \(EPERM, permission denied\); what the others did is being undone\. Tried again at /,
    );
    await t.advance("2h");
    expect([...client.copies.keys()]).toEqual([]);
    expect((await t.sluice.item(item)).message).toBe("failed: nas-2 (EPERM, permission denied); undone: nas-1");
  });

  it("says what could not be undone", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("remove nas-1", () => permanent("READ_ONLY", "the disk is read-only"));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect((await t.sluice.item(item)).message).toBe(
      "failed: nas-2 (EPERM, permission denied); could not be undone: nas-1 (the disk is read-only)",
    );
  });

  it("is done when all are", async () => {
    const { t, request } = await opened(new Servers(), ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
  });
});
