// What can be done to an item, told before anybody tries.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask as askPerson, definePipeline, done, permanent, wait } from "../../src/engine/index.ts";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";

let checks = 0;
const input = z.object({ title: z.string() });
const films = definePipeline("films", {
  version: 1,
  input,
  retry: ({ input }) => {
    checks += 1;
    return input.title === "banned" ? "it is banned" : undefined;
  },
})
  .stage("find", { run: () => done({ found: 1 }) })
  .stage("fetch", {
    run: ({ input: { title } }) => {
      if (title === "gone" || title === "banned") throw permanent("GONE", "it is gone");
      if (title === "late") return wait("not_available", { again: "6h" });
      return title === "which" ? askPerson("Which one?", { options: ["a", "b"] }) : done();
    },
  })
  .stage("put", { run: () => done() });
const copies = definePipeline("copies", { version: 1, input }).stage("copy", {
  parts: () => ["nas", "full"],
  run: ({ part }) => {
    if (part === "full") throw permanent("DISK_FULL", "no room");
    return done();
  },
});

let world: AppWorld;
const hand = async (title: string, owner = "mia") => {
  const { items } = await world.t.submit(films, [{ title }], { owner });
  await world.t.drain();
  return items[0] ?? "";
};
const told = async (item: string, as: Person = "mia") => {
  const { json } = await world.ask(`/api/v1/items/${item}/actions`, { as });
  return {
    json,
    of: (action: string) => json.actions.find((one: { action: string }) => one.action === action),
    can: json.actions.filter((one: { can: boolean }) => one.can).map((one: { action: string }) => one.action),
  };
};

beforeAll(async () => {
  world = await openAppWorld([films, copies]);
});
afterAll(() => world.close());

describe("of an item that failed", () => {
  it("are those that begin it again, and from which stages", async () => {
    const item = await hand("gone");
    const { json, can, of } = await told(item);
    expect(json).toMatchObject({ item, stage: "fetch", priority: 3 });
    expect(can).toEqual(["retry", "replay", "remove"]);
    expect(of("retry")).toEqual({
      action: "retry",
      can: true,
      reason: null,
      path: `/api/v1/items/${item}/retry`,
      body: null,
    });
    expect(of("cancel")).toMatchObject({ can: false, reason: "it has ended already" });
    expect(of("answer")).toMatchObject({ can: false, reason: "it asks nothing", path: null });
    const yes = { can: true, reason: null };
    const no = { can: false, reason: 'it has not come to "put" yet' };
    expect(json.replay).toEqual([
      { from: "find", same: yes, copy: yes, keeps: [], redoes: ["find", "fetch"] },
      { from: "fetch", same: yes, copy: yes, keeps: ["find"], redoes: ["fetch"] },
      { from: "put", same: no, copy: no, keeps: [], redoes: [] },
    ]);
  });

  it("leave out a retry that its pipeline has something against", async () => {
    expect((await told(await hand("banned"))).of("retry")).toMatchObject({ can: false, reason: "it is banned" });
  });

  it("ask the pipeline's own check only for whoever may retry", async () => {
    const item = await hand("gone");
    const before = checks;
    expect((await told(item, "vic")).of("retry")).toMatchObject({
      can: false,
      reason: "this needs the right to operate",
    });
    expect(checks).toBe(before);
    await told(item, "mia");
    expect(checks).toBe(before + 1);
  });

  it("say the same as trying does", async () => {
    const item = await hand("gone");
    const { json } = await told(item);
    for (const { action, can, reason, path, body } of json.actions) {
      if (path === null || ["hold", "resume"].includes(action)) continue;
      const more = { skip: { reason: "x" }, priority: { priority: 1 }, replay: { from: "find" } };
      const sent = { ...body, ...more[action as keyof typeof more] };
      const answer = await world.ask(`${path}?dryRun=true`, { method: "POST", as: "mia", body: sent });
      expect([action, answer.status, answer.json.detail ?? null]).toEqual([action, can ? 200 : 409, reason]);
    }
  });
});

describe("of an item that waits", () => {
  it("are those that end it, move it, or hold its stage; a hold only for admins", async () => {
    const item = await hand("late");
    expect((await told(item)).can).toEqual(["cancel", "replay", "skip", "priority", "remove"]);
    const { can, of } = await told(item, "ann");
    expect(can).toEqual(["cancel", "replay", "skip", "priority", "remove", "hold"]);
    expect(of("hold")).toMatchObject({ path: "/api/v1/hold", body: { pipeline: "films", stage: "fetch" } });
    expect(of("resume")).toMatchObject({ can: false, reason: "no hold keeps it", body: null });
    expect((await told(item)).of("hold").reason).toBe("this needs the right to admin");
    expect((await told(item, "vic")).can).toEqual([]);
    expect((await told(item, "vic")).of("cancel").reason).toBe("this needs the right to operate");
  });

  it("lead to its question, where it asks one", async () => {
    const { can, of } = await told(await hand("which"));
    expect(can).toContain("answer");
    const { status } = await world.ask(of("answer").path, { method: "POST", as: "mia", body: { answer: "a" } });
    expect(status).toBe(200);
  });

  it("lead to the hold that keeps it", async () => {
    const item = await hand("late");
    const held = await told(item, "ann");
    await world.ask(held.of("hold").path, { method: "POST", as: "ann", body: held.of("hold").body });
    const { of } = await told(item, "ann");
    expect(of("hold")).toMatchObject({ can: false, reason: "its stage is held already" });
    expect(of("resume")).toMatchObject({ can: true, body: { pipeline: "films", stage: "fetch" } });
    const { status } = await world.ask(of("resume").path, { method: "POST", as: "ann", body: of("resume").body });
    expect(status).toBe(200);
    expect((await told(item, "ann")).of("resume").can).toBe(false);
  });

  it("do not take from others what they asked for too", async () => {
    const first = await world.t.submit(films, [{ title: "late" }], { owner: "mia", key: "k" });
    await world.t.submit(films, [{ title: "late" }], { owner: "mo", key: "k" });
    await world.t.drain();
    const { of } = await told(first.items[0] ?? "");
    expect(of("cancel").can).toBe(false);
    expect(of("cancel").reason).toContain("others asked for it too");
    expect(of("remove").reason).toContain("only an admin may change it");
  });
});

describe("of a part", () => {
  it("are a retry of what failed, and of nothing else", async () => {
    const { items } = await world.t.submit(copies, [{ title: "x" }], { owner: "mia" });
    await world.t.drain();
    const whole = await told(items[0] ?? "");
    expect(whole.can).toContain("retry-parts");
    const { json } = await world.ask(`/api/v1/items/${items[0]}`, { as: "mia" });
    const parts = Object.fromEntries(json.targets.map((one: { name: string; id: string }) => [one.name, one.id]));
    expect((await told(parts.full)).of("retry")).toMatchObject({ can: true });
    expect((await told(parts.nas)).of("retry")).toMatchObject({ reason: "only a failed part can be retried" });
    expect((await told(parts.full)).json.replay[0].same.reason).toContain("a part is not replayed by itself");
  });
});

it("of another's item there are none: it is not there", async () => {
  const { status } = await world.ask(`/api/v1/items/${await hand("late", "mo")}/actions`, { as: "mia" });
  expect(status).toBe(404);
});
