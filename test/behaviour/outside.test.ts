// Work that happens elsewhere, as its users meet it: the real engine on a virtual clock, and a service that keeps its own
// ground truth.

import { afterEach, describe, expect, it } from "vitest";
import { permanent, transient } from "../../src/engine/pipeline/fault.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { type Definition, films, opened } from "../support/downloads.ts";

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

describe("an outside job", () => {
  it("is started once, looked at, and its end moves the item on", async () => {
    const client = scripted();
    const { t, item } = await begun({}, client);
    await t.advance("1m");
    expect(await t.trace(item)).toEqual([
      "download accepted",
      "download started",
      "download seen DONE",
      "download done",
      "deliver done",
    ]);
    expect([...client.starts.values()]).toEqual([1]);
    expect(await t.owed()).toEqual([]);
  });

  it("is looked at with all others in one call", async () => {
    const client = scripted();
    const pipeline = films();
    open = await testSluice({ pipelines: [pipeline], services: { torrents: client }, concurrency: 100 });
    await open.submit(
      pipeline,
      Array.from({ length: 40 }, (_, n) => ({ title: `Film ${n}` })),
    );
    await open.advance("1m");
    expect(client.looks.every((asked) => asked === 40)).toBe(true);
    expect(client.jobs.size).toBe(40);
  });

  it("is told to go on unseen while no worker runs, without a time at which it would count as stalled", async () => {
    const client = scripted().stallsAt(60);
    const { t, item } = await begun({ every: "10s", stall: { stopped: "2h" } }, client);
    await t.advance("2m");
    const looked = await t.sluice.explain(item);
    expect(looked).toMatchObject({ state: "running", reason: "outside", until: expect.any(Date) });
    expect(looked.sentence).toContain("counts as stalled");
    await t.db.query({ name: "leave", text: "update sluice.worker set state = 1, ended_at = sluice.now()" }, []);
    const unseen = await t.sluice.explain(item);
    expect(unseen).toMatchObject({ state: "running", reason: "outside", since: looked.since, until: null });
    expect(unseen.sentence).toContain(
      "no worker runs that looks after it. Start one that serves download of films version 1.",
    );
    expect(unseen.sentence).not.toContain("stalled");
    expect(await t.sluice.estimate(item)).toMatchObject({ isKnown: false, because: "blocked" });
  });

  it("that stands in line first is told so until it is seen to run, and no clock runs", async () => {
    const inLine = "It waits for a free place.";
    const client = scripted();
    client.look = async () => Promise.reject(new Error("nobody has looked yet"));
    const { t, item } = await begun({ every: "10s", inLine }, client);
    await t.advance("1s");
    expect(await t.sluice.explain(item)).toMatchObject({ reason: "outside", until: null });
    expect((await t.sluice.explain(item)).sentence).toContain(inLine);
  });

  it("whose start was answered by silence is adopted, not started again", async () => {
    const client = scripted().losesNextStart();
    const { t, item } = await begun({}, client);
    await t.advance("5m");
    expect(await t.trace(item)).toEqual([
      "download accepted",
      "download fault TIMEOUT",
      "download started",
      "download seen DONE",
      "download done",
      "deliver done",
    ]);
    expect([...client.starts.values()]).toEqual([1]);
  });

  it("that fails is cleaned up and started anew, under another key", async () => {
    const client = scripted().failsAt(60);
    const { t, item } = await begun({}, client);
    await t.advance("10m");
    expect(await t.trace(item)).toEqual([
      "download accepted",
      "download started",
      "download seen FAILED",
      "download fault BROKEN",
      "download started",
      "download seen DONE",
      "download done",
      "deliver done",
    ]);
    expect([...client.starts.values()]).toEqual([1, 1]);
    expect(client.cancelled).toEqual(["job-1"]);
  });

  it("that fails for good fails the item, and what it left is removed", async () => {
    const client = scripted().failsAt(60, 1, permanent("BAD_FORMAT", "no film in it"));
    const { t, item } = await begun({}, client);
    await t.advance("10m");
    expect((await t.sluice.explain(item)).state).toBe("failed");
    expect(client.cancelled).toEqual(["job-1"]);
  });

  it("that vanishes is started again, as often as there are attempts", async () => {
    const client = scripted().vanishesAt(40, 3);
    const { t, item } = await begun({}, client);
    await t.advance("1h");
    expect((await t.trace(item)).filter((line) => line.includes("VANISHED"))).toHaveLength(3);
    expect((await t.sluice.explain(item)).state).toBe("failed");
    expect([...client.starts.values()]).toEqual([1, 1, 1]);
  });
});

describe("gates and finish", () => {
  it("run when the job is done; a fault there does not start the job again", async () => {
    const client = scripted();
    let tries = 0;
    const wholeVideo = () => {
      tries += 1;
      if (tries === 1) throw transient("PROBE", "could not read it");
    };
    const { t, item } = await begun({ leave: [wholeVideo] }, client);
    await t.advance("10m");
    expect(await t.trace(item)).toEqual([
      "download accepted",
      "download started",
      "download seen DONE",
      "download fault PROBE",
      "download done",
      "deliver done",
    ]);
    expect(client.starts.size).toBe(1);
  });
});

describe("a cancel", () => {
  it("owes the removal of what runs, until it is confirmed", async () => {
    const client = scripted().stallsAt(40);
    const { t, item } = await begun({}, client);
    await t.advance("30s");
    client.goesDown();
    await t.cancel(item);
    await t.advance("2m");
    expect(client.jobs.size).toBe(1);
    client.recovers();
    await t.advance("1h");
    expect(client.jobs.size).toBe(0);
    expect(await t.owed()).toEqual([]);
  });
});

describe("reconciliation", () => {
  it("removes what runs under a key of ours and belongs to no item, and nothing else", async () => {
    const client = scripted().stallsAt(40);
    const { t } = await begun({}, client);
    await t.advance("30s");
    const [own] = [...client.jobs.values()];
    const prefix = (own?.key ?? "").slice(0, -27);
    await client.start(`${prefix}${"x".repeat(27)}`, null);
    await client.start("slu-other1-something", null);
    await t.advance("20m");
    expect([...client.jobs.keys()].toSorted()).toEqual(["job-1", "job-3"]);
  });
});

describe("a call from outside", () => {
  it("ends a watched job by its key, once", async () => {
    const client = scripted().stallsAt(40);
    const { t, item } = await begun({}, client);
    await t.advance("30s");
    const [{ key } = { key: "" }] = [...client.jobs.values()];
    expect(await t.sluice.reportEnd(key, { state: "done", output: { path: "/a" } })).toBe(true);
    expect(await t.sluice.reportEnd(key, { state: "done", output: { path: "/b" } })).toBe(false);
    await t.advance("10s");
    expect((await t.sluice.explain(item)).state).toBe("done");
    expect(await t.sluice.reportEnd("slu-nobody-x", { state: "failed" })).toBe(false);
  });
});

describe("nonsense", () => {
  it("is recorded, and the job goes on", async () => {
    const told = [Number.NaN, -5, 130, 30, 10];
    const client = scripted().tells(({ looks }) =>
      looks <= told.length ? { state: "running", progress: told[looks - 1] as number } : {},
    );
    const { t, item } = await begun({}, client);
    await t.advance("2m");
    const odd = (await t.sluice.history(item)).entries.filter((entry) => entry.type === "item.odd");
    expect(odd.map((entry) => entry.message)).toEqual([
      "progress is NaN",
      "progress is below 0",
      "progress is above 100",
      "progress went backwards",
    ]);
    expect((await t.sluice.explain(item)).state).toBe("done");
  });
});

describe("a look that fails", () => {
  it("for one job alone leaves that one as it is and lets all others go on", async () => {
    const client = scripted();
    const look = client.look.bind(client);
    client.look = async (refs) => {
      if (refs.includes("job-3")) throw permanent("BAD_ID", "no such id");
      return await look(refs);
    };
    const pipeline = films();
    open = await testSluice({ pipelines: [pipeline], services: { torrents: client }, concurrency: 100 });
    const { items } = await open.submit(
      pipeline,
      Array.from({ length: 9 }, (_, n) => ({ title: `Film ${n}` })),
    );
    await open.advance("1m");
    const states = await Promise.all(items.map(async (item) => (await open?.sluice.explain(item))?.state));
    expect(states.filter((state) => state === "done")).toHaveLength(8);
    expect(states.filter((state) => state === "running")).toHaveLength(1);
  });
});
