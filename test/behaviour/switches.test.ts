// Stages switched off and on while items are in them, and single items that a person lets through.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { transient } from "../../src/engine/pipeline/fault.ts";
import { again, done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { InputError, type ItemId } from "../../src/kit/index.ts";
import { films, opened } from "../support/downloads.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const input = z.object({ n: z.number() });
const visited: string[] = [];
const note = (stage: string) => (visit: { readonly input: { readonly n: number } }) => {
  visited.push(`${stage} ${visit.input.n}`);
  return done();
};
const letters = definePipeline("letters", { version: 1, input })
  .stage("write", { run: note("write") })
  .stage("send", { run: note("send") })
  .stage("file", { run: note("file") });

async function begun(count = 1) {
  visited.length = 0;
  const t = await testSluice({ pipelines: [letters] });
  open = t;
  const off = () => t.sluice.switches.off({ pipeline: "letters", stage: "send" }, { note: "no stamps", by: "ada" });
  const on = () => t.sluice.switches.on({ pipeline: "letters", stage: "send" }, { by: "ada" });
  const submit = async () =>
    (
      await t.submit(
        letters,
        Array.from({ length: count }, (_, n) => ({ n })),
      )
    ).items as [ItemId, ...ItemId[]];
  return { t, off, on, submit };
}

describe("a stage that is switched off", () => {
  it("keeps what comes to it, visibly, and lets all of it go on when it is on again", async () => {
    const { t, off, on, submit } = await begun(3);
    expect(await off()).toEqual({ ok: true });
    const [item] = await submit();
    await t.advance("10s");
    expect(visited).toEqual(["write 0", "write 1", "write 2"]);
    const { reason, sentence, state } = await t.sluice.explain(item);
    expect({ reason, state }).toEqual({ reason: "stage_off", state: "queued" });
    expect(sentence).toMatch(/send is switched off \(no stamps\)/);
    await on();
    await t.advance("10s");
    expect(visited.slice(3).sort()).toEqual(["file 0", "file 1", "file 2", "send 0", "send 1", "send 2"]);
  });

  it("is closing until every live worker knows, then off; and says since when and why", async () => {
    const { t, off, on } = await begun();
    await off();
    const states = async () => (await t.sluice.switches.list()).map((one) => one.state);
    expect(await states()).toEqual(["closing"]);
    await t.advance("5s");
    expect(await t.sluice.switches.list()).toEqual([
      { pipeline: "letters", stage: "send", version: null, state: "off", since: expect.any(Date), note: "no stamps" },
    ]);
    const [{ since } = { since: undefined }] = await t.sluice.switches.list();
    await off();
    expect((await t.sluice.switches.list())[0]).toMatchObject({ state: "off", since });
    await on();
    expect(await states()).toEqual(["on"]);
  });

  it("may be one of one version only", async () => {
    const { t, submit } = await begun();
    const scope = { pipeline: "letters", stage: "send", version: 1 };
    await t.sluice.switches.off(scope);
    const [item] = await submit();
    await t.advance("5s");
    expect((await t.sluice.explain(item)).reason).toBe("stage_off");
    await t.sluice.switches.on(scope);
    await t.advance("5s");
    expect((await t.sluice.explain(item)).state).toBe("done");
  });

  it("is on record: who, what, when; said twice, once", async () => {
    const { t, off, on } = await begun();
    await off();
    await off();
    await on();
    const rows = await t.db.query<{ actor: string; action: string }>(
      { name: "audit", text: "select actor, action from sluice.audit order by id" },
      [],
    );
    expect(rows).toEqual([
      { actor: "ada", action: "switch.close" },
      { actor: "ada", action: "switch.open" },
    ]);
  });

  it("has to exist, in every field", async () => {
    const { t } = await begun();
    const untyped = (scope: object) => scope as { pipeline: string; stage: string };
    for (const [field, scope] of [
      ["pipeline", { pipeline: "leters", stage: "send" }],
      ["stage", { pipeline: "letters", stage: "sned" }],
      ["version", { pipeline: "letters", stage: "send", version: 7 }],
      ["version", { pipeline: "letters", stage: "send", version: 0 }],
      ["stage", untyped({ pipeline: "letters" })],
      ["pipeline", untyped({ stage: "send" })],
    ] as const) {
      const refused = await t.sluice.switches.off(scope).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InputError);
      expect(refused).toMatchObject({ field });
    }
    expect(await t.sluice.switches.list()).toEqual([]);
  });
});

describe("a supervised stage that is switched off in the middle of a job", () => {
  it("has the job looked after to its end; then the item waits, and goes on when it is on", async () => {
    const client = scripted();
    const world = await opened({}, client);
    open = world.t;
    const { t, item } = world;
    await t.drain();
    expect(await t.trace(item)).toEqual(["download accepted", "download started"]);
    await t.sluice.switches.off({ pipeline: "films", stage: "download" });
    await t.advance("2m");
    expect(await t.trace(item)).toEqual(["download accepted", "download started", "download seen DONE"]);
    expect((await t.sluice.explain(item)).reason).toBe("stage_off");
    const looks = client.looks.length;
    expect(looks).toBeGreaterThan(0);
    await t.sluice.switches.on({ pipeline: "films", stage: "download" });
    await t.advance("10s");
    expect((await t.sluice.explain(item)).state).toBe("done");
    expect([...client.starts.values()]).toEqual([1]);
  });

  it("starts nothing new", async () => {
    const client = scripted();
    const pipeline = films();
    open = await testSluice({ pipelines: [pipeline], services: { torrents: client } });
    await open.sluice.switches.off({ pipeline: "films", stage: "download" });
    await open.submit(pipeline, [{ title: "Alien" }]);
    await open.advance("1m");
    expect(client.starts.size).toBe(0);
  });
});

describe("run once", () => {
  it("lets one item through a switch; the others stay, and after that stage it goes on like any other", async () => {
    const { t, off, submit } = await begun(3);
    await off();
    const [item, other] = await submit();
    await t.advance("5s");
    expect(await t.sluice.runOnce(item, { by: "ada" })).toEqual({ ok: true });
    await t.advance("5s");
    expect(visited.slice(3)).toEqual(["send 0", "file 0"]);
    expect(await t.trace(item)).toEqual(["write accepted", "write done", "send let-through", "send done", "file done"]);
    expect((await t.sluice.explain(other as ItemId)).reason).toBe("stage_off");
  });

  it("is refused by the next closed valve", async () => {
    const { t, off, submit } = await begun();
    await off();
    await t.sluice.switches.off({ pipeline: "letters", stage: "file" });
    const [item] = await submit();
    await t.advance("5s");
    await t.sluice.runOnce(item);
    await t.advance("5s");
    expect(visited).toEqual(["write 0", "send 0"]);
    expect((await t.sluice.explain(item)).reason).toBe("stage_off");
  });

  it.each(["pause", "hold"] as const)("lets one through a %s", async (kind) => {
    const { t, submit } = await begun();
    if (kind === "pause") await t.pause({ pipeline: "letters" });
    else await t.sluice.versions.hold("letters", 1);
    const [item] = await submit();
    await t.advance("5s");
    expect(visited).toEqual([]);
    await t.sluice.runOnce(item);
    await t.advance("5s");
    expect(visited).toEqual(["write 0"]);
  });

  it("says so without doing it in a dry run; asked twice, it is done once", async () => {
    const { t, off, submit } = await begun();
    await off();
    const [item] = await submit();
    await t.advance("5s");
    expect(await t.sluice.runOnce(item, { dryRun: true })).toEqual({
      ok: true,
      would: { items: 1, stage: "send", keeps: ["write"], redoes: [] },
    });
    expect((await t.sluice.explain(item)).reason).toBe("stage_off");
    await t.sluice.runOnce(item);
    expect((await t.sluice.explain(item)).reason).toBe("queued");
    // Let through already, or in a worker's hands by now.
    expect(await t.sluice.runOnce(item)).toMatchObject({ ok: false });
    const entries = (await t.sluice.history(item)).entries.filter((entry) => entry.type === "item.let-through");
    expect(entries).toHaveLength(1);
  });

  it("is refused with the reason where nothing of that kind keeps the item", async () => {
    const { t, submit } = await begun();
    const later = await t.submit(letters, [{ n: 7 }], { delay: "1h" });
    expect(await t.sluice.runOnce(later.items[0] as ItemId)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^no switch, pause or hold keeps it. Scheduled: write begins at /),
    });
    const [item] = await submit();
    await t.drain();
    expect(await t.sluice.runOnce(item)).toEqual({ ok: false, reason: "it has ended already" });
  });

  it("lets many through by what they have in common", async () => {
    const { t, off, submit } = await begun(3);
    await off();
    const items = await submit();
    await t.advance("5s");
    const filter = { pipeline: "letters", stage: "send", state: "queued" } as const;
    const preview = await t.sluice.bulk.preview({ type: "run-once" }, filter);
    expect(preview).toMatchObject({ matched: 3, would: 3, refused: {} });
    const id = await t.sluice.bulk.start({ type: "run-once" }, { ids: items.slice(1) }, { by: "ada" });
    await t.advance("5s");
    expect((await t.sluice.bulk.get(id)).counts).toMatchObject({ done: 2, open: 0 });
    expect(visited.slice(3).sort()).toEqual(["file 1", "file 2", "send 1", "send 2"]);
  });

  it("is for one visit: what waits or backs off afterwards is behind the switch again", async () => {
    let tries = 0;
    const shaky = definePipeline("shaky", { version: 1, input }).stage("only", {
      backoff: { base: "1s", cap: "1s" },
      run: () => {
        tries += 1;
        if (tries === 1) throw transient("HICCUP", "not now");
        if (tries === 2) return again("1s");
        return tries === 3 ? wait("asleep", { again: "1s" }) : done();
      },
    });
    const t = await testSluice({ pipelines: [shaky] });
    open = t;
    await t.sluice.switches.off({ pipeline: "shaky", stage: "only" });
    const [item] = (await t.submit(shaky, [{ n: 1 }])).items as [ItemId];
    for (const count of [1, 2, 3, 4]) {
      await t.advance("5s");
      expect(await t.sluice.runOnce(item)).toEqual({ ok: true });
      await t.advance("5s");
      expect(tries).toBe(count);
    }
    expect((await t.sluice.explain(item)).state).toBe("done");
  });

  it("of a supervised stage starts the job, and finishes it when it has ended", async () => {
    const client = scripted();
    const pipeline = films();
    const t = await testSluice({ pipelines: [pipeline], services: { torrents: client } });
    open = t;
    await t.sluice.switches.off({ pipeline: "films", stage: "download" });
    const [item] = (await t.submit(pipeline, [{ title: "Alien" }])).items as [ItemId];
    await t.advance("10s");
    expect(await t.sluice.runOnce(item)).toEqual({ ok: true });
    await t.advance("2m");
    expect((await t.sluice.explain(item)).state).toBe("done");
  });

  it("passes no breaker, and says whose", async () => {
    const api = service<object>("api", { breaker: { failures: 1, items: 1, cooldown: "1h" } });
    const calls: number[] = [];
    const asking = definePipeline("asking", { version: 1, input }).stage("only", {
      uses: api,
      backoff: { base: "1s", cap: "1s" },
      run: ({ input }) => {
        calls.push(input.n);
        throw transient("DOWN", "nobody there", { service: "api" });
      },
    });
    const t = await testSluice({ pipelines: [asking], services: { api: {} }, concurrency: 1 });
    open = t;
    const [item] = (await t.submit(asking, [{ n: 1 }])).items as [ItemId];
    await t.advance("1m");
    const before = calls.length;
    expect((await t.sluice.explain(item)).reason).toBe("service_down");
    expect(await t.sluice.runOnce(item)).toMatchObject({ ok: false, reason: /service api does not answer/ });
    await t.pause({ pipeline: "asking" });
    expect(await t.sluice.runOnce(item)).toMatchObject({ ok: false, reason: /service api does not answer/ });
    await t.advance("1m");
    expect(calls.length).toBe(before);
  });
});
