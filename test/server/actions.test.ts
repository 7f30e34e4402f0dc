// Handing in work and acting on it over HTTP: done once, told, written down; refused with what would work instead.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent, wait } from "../../src/engine/index.ts";
import { formatId } from "../../src/kit/index.ts";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";

let runs = 0;
const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) })
  .stage("find", { run: () => done({ found: 1 }) })
  .stage("fetch", {
    attempts: 1,
    run: ({ input }) => {
      runs += 1;
      if (input.title === "gone") throw permanent("GONE", "it is gone");
      return input.title === "late" ? wait("not_available", { again: "6h" }) : done();
    },
  });

let world: AppWorld;
const ask: AppWorld["ask"] = (at, asked) => world.ask(at, asked);
const post = (at: string, as: Person, body?: unknown, headers: Record<string, string> = {}) =>
  ask(at, { method: "POST", as, headers, ...(body === undefined ? {} : { body }) });

async function handed(title: string, owner: Person = "mia", key?: string) {
  const body = { pipeline: "films", inputs: [{ title }], ...(key === undefined ? {} : { key }) };
  const { json, status } = await post("/api/v1/requests", owner, body);
  expect(status).toBe(201);
  await world.t.drain();
  return { item: json.items[0] as string, request: json.request as string };
}

async function audit(action: string) {
  return await world.t.db.query<{ actor: string; address: string; subject: string; detail: unknown }>(
    {
      name: "test-audit",
      text: "select actor, address, subject, detail from sluice_server.audit where action = $1 order by id",
    },
    [action],
  );
}

beforeAll(async () => {
  world = await openAppWorld([films]);
});
afterAll(() => world.close());

describe("handing in", () => {
  it("answers with where it is, and whose", async () => {
    const body = { pipeline: "films", inputs: [{ title: "a" }, { title: "b" }], priority: 2, delay: "1h", key: "two" };
    const { status, headers, json } = await post("/api/v1/requests", "mia", body);
    expect(status).toBe(201);
    expect(json).toMatchObject({ joined: false, would: null, items: [expect.any(String), expect.any(String)] });
    expect(headers.get("location")).toBe(`/api/v1/requests/${json.request}`);
    const stored = await ask(`/api/v1/items/${json.items[0]}`, { as: "mia" });
    expect(stored.json).toMatchObject({
      owner: "mia",
      priority: 2,
      key: "two",
      state: "waiting",
      input: { title: "a" },
    });
    expect((await audit("request.submit")).at(-1)).toMatchObject({
      actor: "mia",
      address: "unknown",
      subject: json.request,
    });
    const again = await post("/api/v1/requests", "mia", body);
    expect([again.status, again.json.joined, again.json.request]).toEqual([200, true, json.request]);
    expect((await post("/api/v1/requests?dryRun=true", "mia", body)).json).toMatchObject({
      ...{ request: null, joined: true, would: { version: 1, items: 2 } },
    });
    const instead = { ...body, onConflict: "replace" };
    expect((await post("/api/v1/requests?dryRun=true", "ann", instead)).json).toMatchObject({ joined: false });
  });

  it("is checked alone by a dry run", async () => {
    const before = (await ask("/api/v1/requests", { as: "admin" })).json.entries.length;
    const body = { pipeline: "films", inputs: [{ title: "a" }] };
    const dry = await post("/api/v1/requests?dryRun=true", "mia", body);
    expect(dry.json).toEqual({ request: null, items: [], joined: false, would: { version: 1, items: 1 } });
    const wrong = await post("/api/v1/requests?dryRun=true", "mia", { pipeline: "films", inputs: [{ title: 7 }] });
    expect(wrong.json).toMatchObject({ status: 400, field: "inputs[0].title" });
    expect((await ask("/api/v1/requests", { as: "admin" })).json.entries.length).toBe(before);
  });

  it.each<[string, unknown, number, string]>([
    ["no pipeline", { inputs: [{}] }, 400, "pipeline"],
    ["a pipeline that is not here", { pipeline: "songs", inputs: [{}] }, 400, "pipeline"],
    ["a version that is not here", { pipeline: "films", version: 9, inputs: [{}] }, 400, "pipeline"],
    ["no inputs", { pipeline: "films", inputs: [] }, 400, "inputs"],
    ["too many inputs", { pipeline: "films", inputs: Array(10_001).fill(0) }, 400, "inputs"],
    ["an input that is none", { pipeline: "films", inputs: [{ title: "a" }, {}] }, 400, "inputs[1].title"],
    ["an input that is too large", { pipeline: "films", inputs: [{ title: "x".repeat(70_000) }] }, 400, "inputs[0]"],
    ["a priority that is none", { pipeline: "films", inputs: [{ title: "a" }], priority: 6 }, 400, "priority"],
    ["a delay that is none", { pipeline: "films", inputs: [{ title: "a" }], delay: "soon" }, 400, "delay"],
    [
      "a deadline before its beginning",
      { pipeline: "films", inputs: [{ title: "a" }], delay: "2h", deadline: "1h" },
      400,
      "deadline",
    ],
    ["a trace that is none", { pipeline: "films", inputs: [{ title: "a" }], trace: "nonsense" }, 400, "trace"],
    [
      "an owner that no account could be",
      { pipeline: "films", inputs: [{ title: "a" }], owner: "mia\n" },
      400,
      "owner",
    ],
    ["what nobody asked for", { pipeline: "films", inputs: [{ title: "a" }], colour: "red" }, 400, "json"],
  ])("%s is refused, and the field is named", async (_, body, status, field) => {
    const { json } = await post("/api/v1/requests", "mia", body);
    expect([json.status, json.field], json.detail).toEqual([status, field]);
  });

  it("of a pipeline that is not here, says which are and what to do", async () => {
    const detail = async (asked: object) =>
      (await post("/api/v1/requests", "mia", { inputs: [{}], ...asked })).json.detail;
    expect(await detail({ pipeline: "songs" })).toMatch(/sluice up <module>.*; known here: films$/);
    expect(await detail({ pipeline: "flims" })).toMatch(/; did you mean "films"\?$/);
    expect(await detail({ pipeline: "films", version: 12 })).toMatch(
      /films@12 is not known.*did you mean "films@1"\?$/,
    );
  });

  it("tells every field that is wrong", async () => {
    const { json } = await post("/api/v1/requests", "mia", { pipeline: "", inputs: [], priority: 9 });
    expect(json.fields.map(({ field }: { field: string }) => field).sort()).toEqual(["inputs", "pipeline", "priority"]);
  });

  it("members hand in their own, and end nobody else's work by a key", async () => {
    const body = { pipeline: "films", inputs: [{ title: "late" }] };
    expect((await post("/api/v1/requests", "mia", { ...body, owner: "mo" })).status).toBe(403);
    expect((await post("/api/v1/requests", "mia", { ...body, key: "k", onConflict: "replace" })).status).toBe(403);
    expect((await post("/api/v1/requests", "vic", body)).status).toBe(403);
    const { json } = await post("/api/v1/requests", "ann", { ...body, owner: "mo" });
    expect((await ask(`/api/v1/items/${json.items[0]}`, { as: "mo" })).json.owner).toBe("mo");
  });
});

describe("acting on an item", () => {
  it("does it, says so, and writes it down once with who and from where", async () => {
    const { item } = await handed("gone");
    const dry = await post(`/api/v1/items/${item}/retry?dryRun=true`, "mia");
    expect(dry.json).toMatchObject({ ok: true, would: { items: 1, stage: "fetch", keeps: ["find"] } });
    expect((await ask(`/api/v1/items/${item}`, { as: "mia" })).json).toMatchObject({ state: "failed", series: 1 });
    expect(await audit("item.retry")).toEqual([]);
    expect((await post(`/api/v1/items/${item}/retry`, "mia")).json).toEqual({
      ok: true,
      would: null,
      copy: null,
      left: false,
    });
    expect(await audit("item.retry")).toEqual([{ actor: "mia", address: "unknown", subject: item, detail: null }]);
    await world.t.drain();
    expect((await ask(`/api/v1/items/${item}`, { as: "mia" })).json).toMatchObject({ state: "failed", series: 2 });
    // As others call it.
    expect((await post(`/api/jobs/${item}/retry`, "mia")).json.ok).toBe(true);
    await world.t.drain();
  });

  it("is refused with the reason, and with what would work now", async () => {
    const { item } = await handed("late");
    const { status, json } = await post(`/api/v1/items/${item}/retry`, "mia");
    expect([status, json.code]).toEqual([409, "REFUSED"]);
    expect(json.detail).toBe("only a failed item can be retried");
    expect(json.actions).toContain("cancel");
    expect((await post(`/api/v1/items/${item}/retry-parts`, "mia")).json.detail).toBe("no part of it has failed");
    expect((await post(`/api/v1/items/${item}/retry-parts?dryRun=true`, "mia")).status).toBe(409);
  });

  it.each<[string, unknown, object]>([
    ["priority", { priority: 1 }, { priority: 1, state: "waiting" }],
    ["skip", { reason: "not needed", stage: "fetch" }, { state: "done" }],
    ["replay", { from: "find" }, { series: 2 }],
    ["cancel", undefined, { state: "cancelled" }],
  ])("%s changes nothing in a dry run, and then does", async (name, body, after) => {
    const { item } = await handed("late");
    const before = (await ask(`/api/v1/items/${item}`, { as: "mia" })).json;
    expect((await post(`/api/v1/items/${item}/${name}?dryRun=true`, "mia", body)).json).toMatchObject({
      ok: true,
      would: { items: 1 },
    });
    expect((await ask(`/api/v1/items/${item}`, { as: "mia" })).json).toEqual(before);
    expect((await post(`/api/v1/items/${item}/${name}`, "mia", body)).json).toMatchObject({ ok: true, would: null });
    await world.t.drain();
    expect((await ask(`/api/v1/items/${item}`, { as: "mia" })).json).toMatchObject(after);
    expect((await audit(`item.${name}`)).at(-1)).toMatchObject({ subject: item, detail: body ?? null });
  });

  it("a replay as a copy says what it made", async () => {
    const { item } = await handed("fine");
    const { json } = await post(`/api/v1/items/${item}/replay`, "mia", { from: "fetch", as: "copy" });
    expect(json.copy).toEqual({ item: expect.stringMatching(/^itm_/), request: expect.stringMatching(/^req_/) });
    await world.t.drain();
  });

  it.each<[string, unknown, string]>([
    ["replay", {}, "from"],
    ["replay", { from: "find", as: "twin" }, "as"],
    ["replay", { from: "find", onto: 0 }, "onto"],
    ["skip", {}, "reason"],
    ["skip", { reason: "" }, "reason"],
    ["priority", { priority: 0 }, "priority"],
    ["priority", { priority: "high" }, "priority"],
    ["priority", { priority: 1, more: true }, "json"],
  ])("%s with %j is refused, and the field is named", async (name, body, field) => {
    const { item } = await handed("late");
    expect((await post(`/api/v1/items/${item}/${name}`, "mia", body)).json).toMatchObject({ status: 400, field });
  });

  it("a query that nobody knows is not passed over", async () => {
    const { item } = await handed("late");
    expect((await post(`/api/v1/items/${item}/cancel?dryrun=true`, "mia")).status).toBe(400);
    expect((await ask(`/api/v1/items/${item}`, { as: "mia" })).json.state).toBe("waiting");
  });
});

describe("acting on a request", () => {
  it.each<[string, unknown]>([
    ["priority", { priority: 5 }],
    ["cancel", undefined],
    ["remove", undefined],
  ])("%s, dry and then done", async (name, body) => {
    const { request } = await handed("late");
    const dry = await post(`/api/v1/requests/${request}/${name}?dryRun=true`, "mia", body);
    expect(dry.json).toMatchObject({ ok: true, would: { items: 1 } });
    expect(await audit(`request.${name}`)).toEqual([]);
    expect((await post(`/api/v1/requests/${request}/${name}`, "mia", body)).json).toMatchObject({ ok: true });
    expect(await audit(`request.${name}`)).toMatchObject([{ actor: "mia", subject: request }]);
  });

  it("that is over cannot be cancelled again", async () => {
    const { request } = await handed("fine");
    expect((await post(`/api/v1/requests/${request}/cancel`, "mia")).json).toMatchObject({
      status: 409,
      code: "REFUSED",
    });
  });

  it("that several asked for is left by each, and ended by the last", async () => {
    const { request, item } = await handed("late", "mia", "shared");
    const body = { pipeline: "films", inputs: [{ title: "late" }], key: "shared" };
    expect((await post("/api/v1/requests", "mo", body)).json).toMatchObject({ joined: true, request, items: [item] });
    expect((await ask(`/api/v1/requests/${request}`, { as: "mo" })).json.owners).toEqual(["mo"]);
    for (const [name, with_] of [["remove"], ["priority", { priority: 1 }]] as const)
      expect((await post(`/api/v1/requests/${request}/${name}`, "mia", with_)).json).toMatchObject({ code: "REFUSED" });
    const at = `/api/v1/requests/${request}/cancel`;
    const dry = await post(`${at}?dryRun=true`, "mia");
    expect(dry.json).toMatchObject({ ok: true, left: true, would: { items: 0 } });
    expect((await post(at, "mia")).json).toMatchObject({ ok: true, left: true, would: null });
    expect((await ask(`/api/v1/requests/${request}`, { as: "mia" })).status).toBe(404);
    expect((await ask(`/api/v1/items/${item}`, { as: "mo" })).json.state).toBe("waiting");
    // What she handed in is still found by her name, and is no more hers to end.
    expect((await post(`/api/v1/items/${item}/cancel`, "mia")).status).toBe(409);
    expect((await post(at, "mo")).json).toMatchObject({ ok: true, left: false });
    expect((await ask(`/api/v1/items/${item}`, { as: "mo" })).json.state).toBe("cancelled");
    expect((await post(at, "mo")).json).toMatchObject({ code: "REFUSED", detail: "nothing of it is alive" });
  });

  it("that several asked for: its items are seen by each, and taken from the others by none", async () => {
    const { item } = await handed("late", "mia", "both");
    const body = { pipeline: "films", inputs: [{ title: "late" }], key: "both" };
    await post("/api/v1/requests", "mo", body);
    for (const part of ["", "/explain", "/history", "/logs", "/estimate"])
      expect((await ask(`/api/v1/items/${item}${part}`, { as: "mo" })).status, part).toBe(200);
    for (const person of ["mia", "mo"] as const)
      for (const [name, with_] of [["cancel"], ["skip", { reason: "no" }]] as const)
        expect((await post(`/api/v1/items/${item}/${name}`, person, with_)).json).toMatchObject({
          code: "REFUSED",
          detail: expect.stringMatching(/^others asked for it too/),
        });
    expect((await post(`/api/v1/items/${item}/priority`, "mo", { priority: 2 })).status).toBe(200);
    const order = { action: { type: "cancel" }, filter: `id:${item}` };
    const { preview } = (await post("/api/v1/bulk?dryRun=true", "mia", order)).json;
    expect(preview).toMatchObject({ matched: 1, would: 0, refused: [{ reason: expect.stringMatching(/^others/) }] });
    const { operation } = (await post("/api/v1/bulk", "mia", order)).json;
    expect(operation.action).toEqual({ type: "cancel" });
    await world.t.drain();
    await world.t.advance("1m");
    const told = (await ask(`/api/v1/bulk/${operation.id}`, { as: "mia" })).json;
    expect([told.state, told.counts.refused, told.action]).toEqual(["finished", 1, { type: "cancel" }]);
    expect((await post(`/api/v1/items/${item}/cancel`, "ann")).json.ok).toBe(true);
  });
});

describe("letting an item past what keeps it", () => {
  const closed = { switch: { pipeline: "films", stage: "find", on: false }, hold: { pipeline: "films" } };
  async function kept() {
    const { json } = await post("/api/v1/requests", "mia", { pipeline: "films", inputs: [{ title: "kept" }] });
    return json.items[0] as string;
  }
  const offered = async (item: string, as: Person) =>
    (await ask(`/api/v1/items/${item}`, { as })).json.wait.actions as string[];

  it("is for its owner behind a switch, and for an admin behind a hold; and nobody is offered what they may not", async () => {
    await world.t.sluice.pause(closed.hold);
    const item = await kept();
    expect(await offered(item, "mia")).toEqual(["cancel"]);
    expect(await offered(item, "ann")).toEqual(["open", "run-once", "cancel"]);
    expect(await offered(item, "vic")).toEqual([]);
    const refused = await post(`/api/v1/items/${item}/run-once`, "mia");
    expect(refused.json).toMatchObject({ code: "REFUSED", actions: ["cancel"] });
    expect(refused.json.detail).toMatch(/only an admin/);
    const order = { action: { type: "run-once" }, filter: `id:${item}` };
    expect((await post("/api/v1/bulk?dryRun=true", "mia", order)).json.preview).toMatchObject({ would: 0 });
    expect((await post("/api/v1/bulk?dryRun=true", "ann", order)).json.preview).toMatchObject({ would: 1 });
    expect((await post(`/api/v1/items/${item}/run-once`, "ann")).json.ok).toBe(true);
    await world.t.sluice.resume(closed.hold);
    const { pipeline, stage } = closed.switch;
    expect((await ask("/api/v1/switches", { method: "PUT", as: "ann", body: closed.switch })).status).toBe(200);
    const second = await kept();
    expect(await offered(second, "mia")).toEqual(["run-once", "cancel"]);
    expect((await post(`/api/v1/items/${second}/run-once`, "mia")).json.ok).toBe(true);
    const on = { pipeline, stage, on: true };
    expect((await ask("/api/v1/switches", { method: "PUT", as: "ann", body: on })).status).toBe(200);
    await world.t.drain();
  });
});

describe("acting on many", () => {
  it("takes all the ids that a page of a list has", async () => {
    const own = await handed("gone");
    const others = Array.from({ length: 49 }, (_, n) => formatId("item", BigInt(900_000 + n)));
    const order = { action: { type: "retry" }, filter: `id:${[own.item, ...others].join(",")}` };
    const { status, json } = await post("/api/v1/bulk?dryRun=true", "mia", order);
    expect([status, json]).toMatchObject([200, { preview: { would: 1 } }]);
  });

  it("is looked at first, done, and told", async () => {
    const mine = [await handed("gone"), await handed("gone")];
    const another = await handed("gone", "mo");
    const order = { action: { type: "retry" }, filter: "state:failed error:GONE age:<1h" };
    const dry = await post("/api/v1/bulk?dryRun=true", "mia", order);
    expect(dry.json.operation).toBeNull();
    const { preview } = dry.json;
    expect(preview.matched).toBeGreaterThanOrEqual(2);
    expect(preview).toMatchObject({ would: preview.matched, refused: [] });
    const none = await post("/api/v1/bulk?dryRun=true", "mia", { ...order, action: { type: "cancel" } });
    expect(none.json.preview).toMatchObject({ would: 0, refused: [{ reason: "it has ended already" }] });
    const short = await post("/api/v1/bulk", "mia", { ...order, expected: preview.matched - 1 });
    expect(short).toMatchObject({ status: 409, json: { code: "REFUSED", field: "expected" } });
    expect(short.json.detail).toContain(`${preview.matched} items match by now`);
    const { status, json, headers } = await post("/api/v1/bulk", "mia", { ...order, expected: preview.matched });
    expect(status).toBe(202);
    expect(json.operation).toMatchObject({ by: "mia", total: preview.matched, action: { type: "retry" } });
    const at = `/api/v1/bulk/${json.operation.id}`;
    expect(headers.get("location")).toBe(at);
    await world.t.drain();
    await world.t.advance("1m");
    expect((await ask(at, { as: "mia" })).json).toMatchObject({
      state: "finished",
      progress: 100,
      counts: { open: 0 },
    });
    const members = (await ask(`${at}/members?outcome=done&limit=200`, { as: "mia" })).json.entries;
    const items = members.map(({ item }: { item: string }) => item);
    for (const { item } of mine) expect(items).toContain(item);
    expect(items).not.toContain(another.item);
    expect((await ask(`/api/v1/items/${another.item}`, { as: "mo" })).json.series).toBe(1);
    expect((await post(`${at}/stop`, "mia")).json).toMatchObject({ status: 409, code: "REFUSED" });
    expect((await ask(at, { as: "mo" })).status).toBe(404);
    expect((await ask(at, { as: "vic" })).status).toBe(200);
    expect((await ask("/api/v1/bulk?limit=1", { as: "mia" })).json.entries).toHaveLength(1);
    expect((await audit("bulk.start")).at(-1)).toMatchObject({ actor: "mia", subject: json.operation.id });
  });

  it("of another's is not for members to order", async () => {
    const order = { action: { type: "cancel" }, filter: "owner:mo" };
    expect((await post("/api/v1/bulk", "mia", order)).status).toBe(403);
    expect((await post("/api/v1/bulk?dryRun=true", "ann", order)).status).toBe(200);
  });

  it("is stopped by who began it", async () => {
    await handed("late");
    const order = { action: { type: "set-priority", priority: 4 }, filter: "state:waiting" };
    const { json } = await post("/api/v1/bulk", "mia", order);
    const at = `/api/v1/bulk/${json.operation.id}`;
    expect((await post(`${at}/stop`, "mo")).status).toBe(404);
    expect((await post(`${at}/stop?dryRun=true`, "mia")).json.state).toBe("running");
    expect((await post(`${at}/stop`, "mia")).json).toMatchObject({ state: "stopped" });
    expect((await audit("bulk.stop")).at(-1)).toMatchObject({ actor: "mia", subject: json.operation.id });
  });

  it.each<[string, unknown, object]>([
    [
      "a term it cannot go by",
      { action: { type: "retry" }, filter: "worker:attic" },
      { field: "filter", word: "worker:attic" },
    ],
    ["several values", { action: { type: "retry" }, filter: "stage:a,b" }, { instead: ["stage:a", "stage:b"] }],
    ["what is turned round", { action: { type: "retry" }, filter: "-owner:ann" }, { field: "filter" }],
    ["no filter", { action: { type: "retry" }, filter: "" }, { field: "filter" }],
    ["only blanks", { action: { type: "cancel" }, filter: "  " }, { field: "filter" }],
    ["an action that is none", { action: { type: "explode" }, filter: "state:failed" }, { field: "action.type" }],
    [
      "an action without what it needs",
      { action: { type: "replay" }, filter: "state:failed" },
      { field: "action.from" },
    ],
  ])("%s is refused with a sentence", async (_, body, told) => {
    // To members too, for whom a filter always has an owner.
    for (const person of ["ann", "mia"] as const)
      expect((await post("/api/v1/bulk", person, body)).json).toMatchObject({ status: 400, ...told });
  });
});

describe("an Idempotency-Key", () => {
  const body = { pipeline: "films", inputs: [{ title: "late" }] };
  const count = async () => (await ask("/api/v1/requests?limit=200", { as: "admin" })).json.entries.length;

  it("makes the same request count once, and answers alike", async () => {
    const headers = { "idempotency-key": "one" };
    const before = await count();
    const first = await post("/api/v1/requests", "mia", body, headers);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    const again = await post("/api/v1/requests", "mia", body, headers);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await count()).toBe(before + 1);
    // Another's key is another key.
    expect((await post("/api/v1/requests", "mo", body, headers)).json.request).not.toBe(first.json.request);
  });

  it("is stored together with what was handed in: a server that dies has done both or neither", async () => {
    const { json } = await post("/api/v1/requests", "mia", body, { "idempotency-key": "together" });
    const [row] = await world.t.db.query<{ is_together: boolean }>(
      {
        name: "test-together",
        text: `
select k.xmin = q.xmin as is_together from sluice_server.idempotency k, sluice.request q
where k.key = 'together' and q.id = (select max(id) from sluice.request)`,
      },
      [],
    );
    expect(row?.is_together, json.request).toBe(true);
  });

  it("with another request is a mistake that is told", async () => {
    const headers = { "idempotency-key": "two" };
    await post("/api/v1/requests", "mia", body, headers);
    for (const [at, other] of [
      ["/api/v1/requests", { ...body, priority: 1 }],
      ["/api/v1/bulk", body],
    ] as const)
      expect((await post(at, "mia", other, headers)).json).toMatchObject({ status: 422, code: "KEY_REUSED" });
  });

  it("many at once: one does it, all are answered alike", async () => {
    const before = await count();
    const headers = { "idempotency-key": "three" };
    const all = await Promise.all(Array.from({ length: 8 }, () => post("/api/v1/requests", "mia", body, headers)));
    const told = all.map(({ status, json }) => (status === 201 ? json.request : json.code));
    expect(new Set(told.filter((one) => one !== "IN_PROGRESS")).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it("while it is being done: a while to wait; where a server died over it: nobody knows", async () => {
    const headers = { "idempotency-key": "four" };
    await post("/api/v1/requests", "mia", body, headers);
    const unanswered = {
      name: "test-unanswered",
      text: "update sluice_server.idempotency set status = null, body = null where key = 'four'",
    };
    await world.t.db.query(unanswered, []);
    const waiting = await post("/api/v1/requests", "mia", body, headers);
    expect(waiting.json).toMatchObject({ status: 409, code: "IN_PROGRESS", retryAfter: 1 });
    expect(waiting.headers.get("retry-after")).toBe("1");
    await world.t.advance("6s");
    expect((await post("/api/v1/requests", "mia", body, headers)).json).toMatchObject({
      status: 409,
      code: "OUTCOME_UNKNOWN",
    });
  });

  it("is free again after a refusal, which changed nothing", async () => {
    const { item } = await handed("late");
    const headers = { "idempotency-key": "five" };
    expect((await post(`/api/v1/items/${item}/retry`, "mia", undefined, headers)).status).toBe(409);
    expect((await post(`/api/v1/items/${item}/cancel`, "mia", undefined, headers)).status).toBe(200);
    expect(
      (await post(`/api/v1/items/${item}/cancel`, "mia", undefined, headers)).headers.get("idempotency-replayed"),
    ).toBe("true");
  });

  it("has no say in a dry run, and has to be one", async () => {
    const headers = { "idempotency-key": "six" };
    await post("/api/v1/requests?dryRun=true", "mia", body, headers);
    expect((await post("/api/v1/requests", "mia", body, headers)).status).toBe(201);
    for (const key of ["", "a b", "x".repeat(256)])
      expect((await post("/api/v1/requests", "mia", body, { "idempotency-key": key })).json).toMatchObject({
        status: 400,
        field: "Idempotency-Key",
      });
  });

  it("is forgotten after a day, and its row goes", async () => {
    const headers = { "idempotency-key": "seven" };
    const first = await post("/api/v1/requests", "mia", body, headers);
    await world.t.advance("25h");
    const later = await post("/api/v1/requests", "mia", body, headers);
    expect(later.status).toBe(201);
    expect(later.json.request).not.toBe(first.json.request);
    await post("/api/v1/requests", "mia", body, { "idempotency-key": "eight" });
    const rows = await world.t.db.query<{ key: string }>(
      { name: "test-keys", text: "select key from sluice_server.idempotency order by key" },
      [],
    );
    expect(rows.map(({ key }) => key)).toEqual(["eight", "seven"]);
    expect(runs).toBeGreaterThan(0);
  });
});
