// Every rule on a real engine: it fires, and it is resolved; one message for a cause; and what survives a crash.

import { tmpdir } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { EncoderDesk } from "../../src/apps/media/encoding/desk.ts";
import { Encoders } from "../../src/apps/media/encoding/encoders.ts";
import { prepareMediaTables } from "../../src/apps/media/index.ts";
import { definePipeline, done, type Statement, service, transient } from "../../src/engine/index.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import type { TestSluiceOptions } from "../../src/engine/testing/test-sluice.ts";
import type { AlertPorts } from "../../src/server/alerts/alerts.ts";
import { laneName } from "../../src/server/alerts/cause.ts";
import { decide } from "../../src/server/alerts/decide.ts";
import { FactReader } from "../../src/server/alerts/facts.ts";
import {
  checkSettings,
  type GivenSettings,
  type RuleName,
  settingName,
  settingsOf,
} from "../../src/server/alerts/rule.ts";
import { listChannels } from "../../src/server/channels/channel.sql.ts";
import { writeSetting } from "../../src/server/settings/setting.sql.ts";
import { type AlertWorld, openAlertWorld } from "../support/alert-world.ts";
import { download, input as film } from "../support/downloads.ts";
import { ENCODER_WORD } from "../support/encoder-word.ts";
import { closeServers } from "../support/loopback.ts";
import { startReceiver } from "../support/receiver.ts";

let world: AlertWorld;
afterEach(async () => {
  await world.close();
  closeServers();
});

const input = z.object({ ok: z.boolean() });
const many = (count: number, ok = true) => Array.from({ length: count }, () => ({ ok }));
const statement = (name: string, text: string): Statement => ({ name: `test-${name}`, text });

/** Nobody has a client for it, so nobody takes its work. */
const far = definePipeline("far", { version: 1, input }).stage("call", { uses: service("far"), run: () => done() });
const films = definePipeline("films", { version: 1, input }).stage("find", {
  attempts: 5,
  backoff: { base: "1h", cap: "1h" },
  run: ({ input: { ok } }) => {
    if (ok) return done();
    throw transient("BROKEN", "not this time");
  },
});

async function begin(
  pipelines: Parameters<typeof openAlertWorld>[0] = [films],
  options: Omit<TestSluiceOptions, "pipelines"> = {},
  ports: Partial<AlertPorts> = {},
): Promise<void> {
  world = await openAlertWorld(pipelines, options, ports);
  // Nobody listens; what is decided is what counts.
  await world.addChannel("nobody", "ntfy", { url: "http://127.0.0.1:9/topic" });
  // A channel that does not work is an alert of its own, and not meant here.
  await set("channel-failing", { on: false });
}

async function set(rule: RuleName, given: GivenSettings): Promise<void> {
  await writeSetting(world.t.db, settingName(rule), checkSettings(rule, given), "test");
}

/** The world's engine, with something that happens before what came of a try is written down; all else goes to the database. */
function recording(before: () => void): AlertPorts["sluice"] {
  const { tables } = world.t.sluice;
  const query: typeof tables.query = async (asked, values) => {
    if (asked.name === "delivery-record") before();
    return await tables.query(asked, values);
  };
  return new Proxy(world.t.sluice, {
    get: (of, name) => {
      if (name === "tables") return { ...tables, query, transaction: tables.transaction.bind(tables) };
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

describe("a rule fires and is resolved:", () => {
  it("nothing processed while work is due, and the hour after which it is stuck adds nothing", async () => {
    await begin([far]);
    const { items } = await world.t.submit(far, many(3));
    await world.pass(4);
    expect(await world.told()).toEqual([]);
    await world.pass(58, 60);
    expect(await world.told()).toEqual(["opened idle/far"]);
    const [message] = await world.messages();
    expect(message).toMatchObject({ title: "No worker for far", count: 3, examples: [...items] });
    for (const item of items) await world.t.cancel(item);
    await world.pass(3);
    expect(await world.told()).toEqual(["opened idle/far", "resolved idle/far"]);
  });

  it("stuck for an hour", async () => {
    await begin([far]);
    await set("idle", { on: false });
    const { items } = await world.t.submit(far, many(2));
    await world.pass(58, 120);
    expect(await world.told()).toEqual([]);
    await world.pass(6);
    expect(await world.told()).toEqual(["opened stuck/far/call"]);
    expect((await world.messages())[0]).toMatchObject({ title: "2 items stuck in far/call", count: 2 });
    for (const item of items) await world.t.cancel(item);
    await world.pass(3);
    expect((await world.told()).at(-1)).toBe("resolved stuck/far/call");
  });

  it("more than 10 % of at least ten attempts fail", async () => {
    await begin();
    await world.t.submit(films, [...many(8), ...many(1, false)]);
    await world.pass(3);
    expect(await world.told()).toEqual([]);
    await world.t.submit(films, many(1, false));
    await world.pass(3);
    expect(await world.told()).toEqual(["opened error-rate/films/find"]);
    expect((await world.messages())[0]?.sentence).toBe("2 of 10 attempts failed in the last 15 min, most with BROKEN.");
    await world.pass(17, 60);
    expect(await world.told()).toEqual(["opened error-rate/films/find", "resolved error-rate/films/find"]);
  });

  it("more than 50 wait for one stage, or as many as that stage may have", async () => {
    const slow = definePipeline("slow", { version: 1, input }).stage("call", {
      uses: service("api", { limit: "1/h" }),
      run: () => done(),
    });
    await begin([slow], { services: { api: {} } });
    await world.t.submit(slow, many(51));
    await world.pass(7);
    expect(await world.told()).toEqual([]);
    const { items } = await world.t.submit(slow, many(1));
    await world.pass(7);
    expect(await world.told()).toEqual(["opened backlog/slow/call"]);
    expect((await world.messages())[0]).toMatchObject({ count: 51, title: "51 items wait for slow/call" });
    await world.t.cancel(items[0] as never);
    await world.pass(2);
    expect((await world.told()).at(-1)).toBe("resolved backlog/slow/call");
    await set("backlog", { stages: { "slow/call": 10 }, values: { forSeconds: 0 } });
    // It was told of only just now: it may not be back at once.
    await world.pass(5);
    expect(await world.told()).toHaveLength(2);
    await world.pass(6);
    expect((await world.told()).at(-1)).toBe("opened backlog/slow/call");
  });

  it("a worker is gone that had not said goodbye; who had is not missed", async () => {
    await begin();
    const enter = statement(
      "worker",
      `insert into sluice.worker (name, host, pid, pid_started, epoch, state, started_at, ended_at)
       values ($1, 'h', 1, '0', $2, $3::smallint, sluice.now(), case when $3::smallint > 0 then sluice.now() end)`,
    );
    await world.t.db.query(enter, ["nas", 101, 2]);
    await world.t.db.query(enter, ["laptop", 102, 1]);
    await world.pass(4);
    expect(await world.told()).toEqual([]);
    await world.pass(2);
    expect(await world.told()).toEqual(["opened worker-offline/nas"]);
    await world.t.db.query(enter, ["nas", 103, 1]);
    await world.pass(2);
    expect(await world.told()).toEqual(["opened worker-offline/nas", "resolved worker-offline/nas"]);
  });

  it("work outside has stalled", async () => {
    const client = scripted().stallsAt(40, 1);
    const downloads = definePipeline("downloads", { version: 1, input: film }).stage("fetch", {
      ...download,
      stall: { never: "10m", stopped: "10m" },
    });
    await begin([downloads], { services: { torrents: client } });
    const { items } = await world.t.submit(downloads, [{ title: "Alien" }]);
    await world.pass(9);
    expect(await world.told()).toEqual([]);
    await world.pass(3);
    expect(await world.told()).toEqual(["opened stalled/downloads/fetch at torrents"]);
    expect((await world.messages())[0]).toMatchObject({ examples: [...items] });
    expect((await world.messages())[0]?.sentence).toMatch(/torrents: nothing moved for 10 min at 40 %/);
    await world.pass(18, 60);
    expect((await world.told()).at(-1)).toBe("resolved stalled/downloads/fetch at torrents");
  });

  it("a disk is nearly full, told once for all that lies on it", async () => {
    let free = 1.5e9;
    await begin(
      [films],
      {},
      {
        disks: [{ use: "the database", path: "/data" }],
        spaceAt: async () => ({ device: "8", free, size: 100e9 }),
      },
    );
    await world.pass(2);
    expect(await world.told()).toEqual([`opened disk-low/nas:${tmpdir()}`]);
    expect((await world.messages())[0]?.title).toBe("The disk of temporary files, the database on nas is nearly full");
    free = 50e9;
    await world.pass(2);
    expect((await world.told()).at(-1)).toBe(`resolved disk-low/nas:${tmpdir()}`);
  });

  it("an encoder is not heard of for five minutes; one that said goodbye is not missed", async () => {
    const limits = { lostMs: 90_000, sayMs: 5_000, againMs: 30_000, folder: "/nowhere" };
    const encoders = new Encoders(limits);
    await begin([films], {}, { goneEncoders: () => encoders.gone(world.t.sluice.tables) });
    const { tables } = world.t.sluice;
    await prepareMediaTables(tables);
    const desk = new EncoderDesk(limits);
    const called = (name: string) => ({ name, place: "remote", key: null }) as const;
    for (const [name, isLast] of [
      ["shed", false],
      ["attic", true],
    ] as const) {
      await desk.hear(tables, called(name), ENCODER_WORD);
      if (isLast) await desk.hear(tables, called(name), { ...ENCODER_WORD, isFirst: false, isLast });
    }
    await world.pass(4);
    expect(await world.told()).toEqual([]);
    await world.pass(2);
    expect(await world.told()).toEqual(["opened encoder-offline/shed"]);
    for (let minutes = 0; minutes < 2; minutes += 1) {
      await desk.hear(tables, called("shed"), { ...ENCODER_WORD, isFirst: false });
      await world.pass(1);
    }
    expect(await world.told()).toEqual(["opened encoder-offline/shed", "resolved encoder-offline/shed"]);
  });

  it("a disk of another server is nearly full, whoever has the duty, until that server is gone", async () => {
    await begin();
    const laptop = world.another("second", {
      host: "laptop",
      spaceAt: async () => ({ device: "8", free: 1e9, size: 100e9 }),
    });
    const pass = async (minutes: number) => {
      for (let left = minutes; left > 0; left -= 1) {
        await laptop.round();
        await world.pass(1);
      }
    };
    await pass(3);
    expect(await world.told()).toEqual([`opened disk-low/laptop:${tmpdir()}`]);
    await world.alerts.stop();
    expect(await laptop.round()).toBe(0);
    await pass(3);
    expect(await world.told()).toHaveLength(1);
    await laptop.stop();
    await world.pass(4);
    expect((await world.told()).slice(1)).toEqual([`resolved disk-low/laptop:${tmpdir()}`]);
  });

  it("an item waits and nobody can say why", async () => {
    await begin();
    const { items } = await world.t.submit(films, many(1), { delay: "1h" });
    await world.t.db.query(statement("lose", "update sluice.run set ready_at = 'infinity', reason = null"), []);
    await world.pass(1);
    expect(await world.told()).toEqual(["opened unknown-reason"]);
    await world.t.cancel(items[0] as never);
    await world.pass(2);
    expect(await world.told()).toEqual(["opened unknown-reason", "resolved unknown-reason"]);
  });

  it("a channel does not work, which the others tell", async () => {
    world = await openAlertWorld([films]);
    const [good, bad] = [await startReceiver(), await startReceiver()];
    bad.answer = (response) => void response.writeHead(500).end("broken");
    await world.addChannel("good", "ntfy", { url: `${good.url}/topic` });
    const { id } = await world.addChannel("bad", "ntfy", { url: `${bad.url}/topic` });
    await world.t.submit(films, many(1), { delay: "9h" });
    await world.t.db.query(statement("lose", "update sluice.run set ready_at = 'infinity', reason = null"), []);
    await world.pass(12);
    expect(good.received.map(({ headers }) => headers["x-title"])).toEqual([
      "Items wait and nobody can say why",
      "Messages to bad do not get through",
    ]);
    bad.answer = (response) => void response.writeHead(200).end();
    await world.pass(15, 60);
    expect(good.received.at(-1)?.headers["x-title"]).toMatch(/^Resolved after \d+ min( \d+ s)?: Messages to bad/);
    // Nothing about itself.
    expect((await world.messages()).filter(({ key }) => key === `channel-failing/${id}`)).toHaveLength(2);
    expect(bad.received.at(-1)?.headers["x-title"]).toBe("Items wait and nobody can say why");
  });
});

describe("what is decided", () => {
  it("is not repeated and not forgotten by the next process, and sent under the id it had", async () => {
    world = await openAlertWorld([far]);
    const hook = await startReceiver();
    await world.addChannel("hook", "webhook", { url: hook.url });
    await world.t.submit(far, many(1));
    await world.t.advance("7m");
    await world.alerts.round();
    await world.t.advance("2m");
    // Decided by a server that dies before it sends anything.
    expect(await world.alerts.round()).toBe(1);
    const second = world.another("second");
    expect(await second.round()).toBeUndefined();
    expect(await second.deliver()).toBeUndefined();
    await world.t.advance("3m");
    expect(await second.round()).toBe(0);
    expect(await second.deliver()).toBe(1);
    expect(hook.received.map(({ json }) => json.type)).toEqual(["alert.opened"]);
  });

  it("is sent again when nobody knows whether it arrived, and the receiver can tell", async () => {
    world = await openAlertWorld([far]);
    const hook = await startReceiver();
    await world.addChannel("hook", "webhook", { url: hook.url });
    await world.t.submit(far, many(1));
    const dying = world.another("dying", {
      sluice: recording(() => {
        throw new Error("killed");
      }),
    });
    for (const by of ["7m", "2m"]) {
      await world.t.advance(by);
      await dying.round();
    }
    await expect(dying.deliver()).rejects.toThrow("killed");
    await world.t.advance("3m");
    expect(await world.another("next").deliver()).toBe(1);
    const ids = hook.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("is on its way when another's try cannot be written down, and is waited for", async () => {
    world = await openAlertWorld([far]);
    const [quick, slow] = [await startReceiver(), await startReceiver()];
    const broken = Promise.withResolvers<void>();
    slow.answer = (response) => void broken.promise.then(() => response.writeHead(204).end());
    await world.addChannel("quick", "webhook", { url: quick.url });
    await world.addChannel("slow", "webhook", { url: slow.url });
    await world.t.submit(far, many(1));
    let records = 0;
    const sluice = recording(() => {
      records += 1;
      broken.resolve();
      if (records === 1) throw new Error("the database is away");
    });
    const server = world.another("server", { sluice });
    for (const by of ["7m", "2m"]) {
      await world.t.advance(by);
      await server.round();
    }
    await expect(server.deliver()).rejects.toThrow("the database is away");
    await server.deliver();
    expect([quick.received.length, slow.received.length]).toEqual([2, 1]);
  });

  it.each([
    ["is edited where the channel can", '{"id":"555"}', ["POST", "PATCH", "PATCH"]],
    ["is not told anew where it cannot", "ok", ["POST", "POST"]],
  ])("and whose count changes %s", async (_, answer, methods) => {
    world = await openAlertWorld([far]);
    const discord = await startReceiver();
    discord.answer = (response) => void response.writeHead(200).end(answer);
    await world.addChannel("chat", "discord", { url: `${discord.url}/api/webhooks/1/token` });
    const { items } = await world.t.submit(far, many(2));
    await world.pass(8);
    const more = await world.t.submit(far, many(1));
    await world.pass(6);
    for (const item of [...items, ...more.items]) await world.t.cancel(item);
    await world.pass(3);
    expect(discord.received.map(({ method }) => method)).toEqual(methods);
    expect(discord.received.at(-1)?.json.embeds[0].title).toMatch(/^Resolved after/);
  });

  it("links to where people look, where that is known", async () => {
    await begin([far], {}, { publicUrl: "https://sluice.example.org/" });
    await world.t.submit(far, many(1));
    await world.pass(7);
    const [message] = await world.messages();
    expect(message?.url).toBe("https://sluice.example.org/api/v1/alerts");
  });

  it.each<[string, null | undefined, string[]]>([
    ["stands while nobody could look", null, ["opened idle/far"]],
    ["is over when it is seen to be", undefined, ["opened idle/far", "resolved idle/far"]],
  ])("%s", async (_, head, told) => {
    await begin([far]);
    await world.t.submit(far, many(1));
    await world.pass(7);
    const { tables } = world.t.sluice;
    const reader = new FactReader({ sluice: world.t.sluice });
    for (let minute = 0; minute < 3; minute += 1) {
      await world.t.advance("1m");
      const facts = await reader.read();
      const heads = new Map(head === null ? facts.lanes.map((lane) => [laneName(lane), null]) : []);
      const settings = settingsOf(new Map());
      const channels = await listChannels(tables);
      await tables.transaction((tx) => decide({ ...facts, heads }, { tx, settings, channels, publicUrl: null }));
    }
    expect(await world.told()).toEqual(told);
  });

  it("goes to the channels of its rule only, and a rule that is off tells nobody, not even its end", async () => {
    await begin([far]);
    const { id } = await world.addChannel("chosen", "discord", { url: "http://127.0.0.1:9/x" });
    await set("idle", { channels: [id] });
    await world.t.submit(far, many(1));
    await world.pass(7);
    expect(await world.told()).toEqual(["opened idle/far"]);
    await set("idle", { on: false });
    await set("stuck", { on: false });
    await world.pass(10);
    expect(await world.told()).toEqual(["opened idle/far"]);
  });
});
