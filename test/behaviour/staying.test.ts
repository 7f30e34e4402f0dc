// What stays outside when its stage is done, and what may not be removed there yet.

import { afterEach, describe, expect, it } from "vitest";
import type { ItemId } from "../../src/engine/index.ts";
import { notYet } from "../../src/engine/pipeline/outside.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import type { TestSluice } from "../../src/engine/testing/test-sluice.ts";
import { type Definition, opened } from "../support/downloads.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function begun(change: Partial<Definition>, client: Scripted) {
  const world = await opened(change, client);
  open = world.t;
  return world;
}

const state = async (t: TestSluice, item: ItemId) => (await t.sluice.item(item)).state;

describe("what stays when its stage is done", () => {
  const staying = { stays: true } as const;

  it("is left alone, however long its item is done", async () => {
    const client = scripted();
    const { t, item } = await begun(staying, client);
    await t.advance("30d");
    expect(await state(t, item)).toBe("done");
    expect([client.cancelled, await t.owed()]).toEqual([[], []]);
  });

  it("goes with its request, and the request after it", async () => {
    const client = scripted();
    const { t, item, request } = await begun(staying, client);
    await t.advance("10d");
    await t.sluice.remove(request.request);
    for (let time = 0; time < 4; time += 1) await t.advance("15s");
    expect(client.cancelled).toEqual(["job-1"]);
    await expect(t.sluice.item(item)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("goes with an item that is cancelled in a later stage", async () => {
    const client = scripted();
    const { t, item } = await begun(staying, client);
    await t.pause({ pipeline: "films", stage: "deliver" });
    await t.advance("5m");
    expect((await t.sluice.item(item)).stage).toBe("deliver");
    expect(client.cancelled).toEqual([]);
    await t.cancel(item);
    await t.advance("5m");
    expect(client.cancelled).toEqual(["job-1"]);
  });

  it("goes when the stage is done again, and not when only a later one is", async () => {
    const client = scripted();
    const { t, item } = await begun(staying, client);
    await t.advance("5m");
    await t.sluice.replay(item, { from: "deliver" });
    await t.advance("5m");
    expect(client.cancelled).toEqual([]);
    await t.sluice.replay(item, { from: "download" });
    await t.advance("5m");
    expect(client.cancelled).toEqual(["job-1"]);
    expect([...client.jobs.keys()]).toEqual(["job-2"]);
  });

  it("is no orphan when it goes on by itself, as files do that are checked again", async () => {
    const client = scripted();
    const { t } = await begun(staying, client);
    await t.advance("5m");
    for (const job of client.jobs.values()) job.state = "running";
    // What nobody owns is found twice before it is removed.
    for (let time = 0; time < 5; time += 1) await t.advance("6m");
    expect(client.cancelled).toEqual([]);
  });
});

describe("a removal whose time has not come", () => {
  it("waits in the words it was given, costs no attempt, and is done when it may be", async () => {
    const client = scripted().stallsAt(40);
    let isEarly = true;
    const cancel: Definition["cancel"] = async (ref, service) => {
      if (isEarly) return notYet("seeding", "gives back until a ratio of 1; then it is removed", "10m");
      await service.cancel(ref);
      return undefined;
    };
    const { t, item } = await begun({ cancel }, client);
    await t.advance("1m");
    await t.cancel(item);
    await t.advance("3d");
    const { entries } = await t.sluice.items({ pipeline: "cleanup" }, { limit: 5 });
    expect(entries).toMatchObject([{ state: "waiting", reason: "seeding", attempts: { used: 0 } }]);
    const id = entries[0]?.id as ItemId;
    expect((await t.sluice.explain(id)).sentence).toMatch(
      /^Waiting: gives back until a ratio of 1; then it is removed, since .* That costs no attempt \(0 of 1000 used\)\.$/,
    );
    expect((await t.trace(id)).filter((line) => line.includes("seeding"))).toHaveLength(1);
    expect(client.cancelled).toEqual([]);
    isEarly = false;
    await t.advance("15m");
    expect(client.cancelled).toEqual(["job-1"]);
    expect(await state(t, id)).toBe("done");
  });
});
