// Thirty secrets, planted wherever one may come in, and looked for wherever anything comes out: the log, every answer for every
// role, problems, events, metrics. A new way in is a line in `planted`; a new way out is a line in `places`.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  definePipeline,
  done,
  finder,
  type ItemId,
  openSluice,
  permanent,
  type Sluice,
  schedule,
  service,
  transient,
  unavailable,
} from "../../src/engine/index.ts";
import { Access } from "../../src/server/access/access.ts";
import type { Principal, Role } from "../../src/server/access/principal.ts";
import { pinoLogger } from "../../src/server/log/pino-logger.ts";
import { type Served, serveSluice } from "../../src/server/serve.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** Known by their beginning; letters and digits, as secrets are. */
const canary = (name: string) => `Kanarie7${name}4xQ9`;

// Each comes out of a visit in another way. What is not named here is handed in, and done.
const THROWN: { readonly [how: string]: (secret: string) => unknown } = {
  "address in a fault": (secret) => transient("NOT_REACHED", `GET http://ann:${secret}@nas.lan:8080/films failed`),
  "query in a fault": (secret) => permanent("HTTP_404", `nas answered 404 to GET /films?page=2&apikey=${secret}`),
  "header in a fault": (secret) => permanent("REFUSED", `sent Authorization: Bearer ${secret}`),
  "answer in a fault": (secret) => permanent("REFUSED", `it said {"error":"no","client_secret":"${secret}"}`),
  "cause of a fault": (secret) =>
    permanent("BAD", "of no use", { cause: new Error(`cause: postgres://sluice:${secret}@db/sluice`) }),
  "cause of an error": (secret) =>
    new Error("outer", { cause: new Error("inner", { cause: new Error(`password=${secret}`) }) }),
  "stack of an error": (secret) => Object.assign(new Error("plain"), { stack: `Error: at x (token: ${secret})` }),
  "headers of an error": (secret) => Object.assign(new Error("answered 500"), { headers: { "x-api-key": secret } }),
  "config of an error": (secret) =>
    Object.assign(new Error("answered 500"), { config: { auth: { password: secret } } }),
  "several errors": (secret) => new AggregateError([new Error(`cookie: sid=${secret}`)], "all failed"),
  "an object": (secret) => ({ password: secret, code: "X" }),
  "a text": (secret) => `secret: ${secret}`,
};
const HOWS = Object.keys(THROWN);

const shop = service<{ ask(): Promise<void> }>("shop", { breaker: { failures: 1, items: 1 } });
const film = definePipeline("film", { version: 1, input: z.object({ how: z.string() }) })
  .stage("find", {
    attempts: 1,
    run: (visit) => {
      const { how } = visit.input;
      if (how === "notes") {
        visit.log.info(`asked https://ann:${canary("NoteText")}@nas/`, { password: canary("NoteFact") });
        visit.log.error("refused", { headers: { authorization: canary("NoteDeep") } });
      }
      const made = THROWN[how];
      if (made !== undefined) throw made(canary(`Thrown${HOWS.indexOf(how)}`));
      return done();
    },
  })
  .stage("order", {
    uses: shop,
    run: async (visit) => {
      if (visit.input.how === "orders") await visit.call(shop, (client) => client.ask());
      return done();
    },
  });

const looks = finder("looks", {
  every: "1h",
  pipeline: film,
  find: async () => {
    throw transient("NOT_REACHED", `GET https://ann:${canary("FinderAddress")}@nas/ failed`);
  },
});
const hourly = schedule("hourly", {
  cron: "* * * * * *",
  pipeline: film,
  inputs: () => {
    throw transient("NOT_REACHED", `refused: api_key=${canary("ScheduleQuery")}`);
  },
});

let database: TestServer;
let sluice: Sluice;
let served: Served;
let access: Access;
const lines: string[] = [];
const problems: string[] = [];
const cookies = new Map<Role, string>();
const items: ItemId[] = [];
const requests: string[] = [];
/** What must not be found, by what it is. */
const planted = new Map<string, string>();

const plant = (name: string, secret = canary(name)): string => {
  planted.set(name, secret);
  return secret;
};

async function send(at: string, options: RequestInit & { readonly as?: Role } = {}): Promise<Response> {
  const { as, headers, ...rest } = options;
  const cookie = as === undefined ? undefined : cookies.get(as);
  const own = { ...(cookie === undefined ? {} : { cookie }), origin: served.url, "content-type": "application/json" };
  return await fetch(`${served.url}${at}`, {
    ...rest,
    headers: { ...own, ...headers },
    signal: AbortSignal.timeout(10_000),
  });
}

/** Sent to be refused; what it is told is looked through as well. */
async function refused(at: string, options: RequestInit & { readonly as?: Role } = {}): Promise<void> {
  const answer = await send(at, options);
  expect(answer.status, at).toBeGreaterThanOrEqual(400);
  problems.push(await answer.text(), JSON.stringify([...answer.headers]));
}

const post = (body: unknown) => ({ method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });

beforeAll(async () => {
  database = await startServer();
  const url = database.url().replace("sluice@", `sluice:${plant("DatabasePassword")}@`);
  const log = pinoLogger({ level: "info", to: (line) => void lines.push(line) });
  const ask = async () => {
    throw unavailable("NOT_REACHED", `no answer; sent X-Api-Key: ${plant("BreakerHeader")}`);
  };
  sluice = await openSluice({
    ...{ pipelines: [film], services: { shop: { ask } }, finders: [looks], schedules: [hourly], database: url, log },
  });
  served = await serveSluice({ sluice, host: "127.0.0.1", port: 0, hosts: [], log, version: "1.2.3" });
  access = new Access({ tables: sluice.tables, now: () => performance.now() });
});
afterAll(async () => {
  await served?.close();
  await sluice?.close();
  await database?.stop();
});

async function plantAccess(): Promise<void> {
  const setup = plant("SetupToken", new URL(served.setupUrl ?? "").hash.slice(1));
  const password = plant("AdminPassword");
  const entered = await send("/api/v1/setup", post({ token: setup, name: "ann", password }));
  expect(entered.status).toBe(200);
  const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };
  for (const role of ["member", "viewer"] as const)
    await access.addAccount("ann", { name: role, role, password: plant(`${role}Password`) }, "here");
  const accounts = { admin: "ann", member: "member", viewer: "viewer" } as const;
  for (const [role, name] of Object.entries(accounts) as [Role, string][]) {
    const secret = planted.get(role === "admin" ? "AdminPassword" : `${role}Password`) ?? "";
    const answer = await send("/api/v1/session", post({ name, password: secret }));
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    cookies.set(role, cookie);
    plant(`${role}Session`, cookie.split("=")[1]);
  }
  plant("ReadKey", (await access.makeKey(ann, { name: "reader", scopes: ["read"] }, "here")).key);
  plant("AdminKey", (await access.makeKey(ann, { name: "boss", scopes: ["admin"] }, "here")).key);
  await access.changeAccount("ann", "viewer", { password: plant("ChangedPassword") }, "here");
  const again = await send("/api/v1/session", post({ name: "viewer", password: planted.get("ChangedPassword") }));
  cookies.set("viewer", again.headers.get("set-cookie")?.split(";")[0] ?? "");
}

async function plantRefusals(): Promise<void> {
  await refused("/api/v1/session", post({ name: "ann", password: plant("WrongPassword") }));
  await refused("/api/v1/session", post(`{"name":"ann","password":"${plant("CutBody")}"`));
  await refused("/api/v1/session", post({ name: "ann", password: { nested: plant("OddPassword") } }));
  await refused("/api/v1/setup", post({ token: plant("WrongSetup"), name: "eve", password: plant("EvesPassword") }));
  await refused("/api/v1/me", { headers: { authorization: `Bearer ${plant("WrongBearer")}` } });
  await refused("/api/v1/me", { headers: { authorization: `Basic ${plant("BasicHeader")}` } });
  await refused("/api/v1/me", { headers: { "x-api-key": plant("WrongKey") } });
  await refused("/api/v1/me", {
    headers: { cookie: `${cookies.get("admin")?.split("=")[0]}=${plant("WrongCookie")}` },
  });
  await refused(`/api/v1/me?token=${plant("AddressLine")}`);
  await refused(`/api/v1/items?limit=x&apikey=${plant("BadQuery")}`, { as: "admin" });
  await refused("/api/v1/items/itm_1/cancel", {
    ...post({}),
    as: "admin",
    headers: { "idempotency-key": plant("IdempotencyKey") },
  });
}

async function plantWork(): Promise<void> {
  for (const [index, how] of HOWS.entries()) plant(how, canary(`Thrown${index}`));
  for (const name of ["NoteText", "NoteFact", "NoteDeep"]) plant(name);
  for (const how of [...HOWS, "notes", "orders"]) {
    const request = await sluice.submit(film, [{ how }], { owner: "member" });
    items.push(...request.items);
    requests.push(request.request);
    if (how !== "orders") await request.result();
  }
  plant("FinderAddress");
  plant("ScheduleQuery");
  await vi.waitFor(async () => {
    expect((await sluice.services())[0]?.state).toBe("down");
    expect((await sluice.finders.list())[0]?.error?.message).toMatch(/^GET https:/);
    expect((await sluice.schedules.list())[0]?.error?.message).toMatch(/^refused/);
  }, SOON);
}

const SOON = { timeout: 30_000, interval: 50 };

/** Where something comes out. */
const places: { readonly [place: string]: () => Promise<string> | string } = {
  "the log": () => lines.join(""),
  problems: () => problems.join("\n"),
  events: async () => {
    const events: string[] = [];
    const last = (await sluice.submit(film, [{ how: "last" }])).items[0];
    for await (const event of sluice.feed()) {
      events.push(JSON.stringify(event));
      if (event.item === last) break;
    }
    expect(events.length).toBeGreaterThan(30);
    return events.join("\n");
  },
  "histories and notes of visits": async () => {
    const told = items.map(async (id) => [await sluice.history(id), await sluice.logs(id)]);
    const text = JSON.stringify(await Promise.all(told));
    expect(text).toContain("asked https://***@nas/");
    return text;
  },
  "services, finders and schedules": async () =>
    JSON.stringify([await sluice.services(), await sluice.finders.list(), await sluice.schedules.list()]),
  metrics: async () => await (await send("/metrics", { as: "admin" })).text(),
  "answers for admins": () => everyAnswer("admin"),
  "answers for members": () => everyAnswer("member"),
  "answers for viewers": () => everyAnswer("viewer"),
};

/** Every GET route of the contract, for everything there is. */
async function everyAnswer(as: Role): Promise<string> {
  const { paths } = JSON.parse(await (await send("/api/v1/openapi.json", { as })).text());
  const routes = Object.keys(paths).filter((at) => "get" in paths[at]);
  const found = routes.flatMap((at) => {
    if (at.includes("{item}")) return items.map((id) => at.replace("{item}", id));
    if (at.includes("{request}")) return requests.map((id) => at.replace("{request}", id));
    return [at.replaceAll(/\{[^}]+\}/g, "shop")];
  });
  expect(found.length).toBeGreaterThan(items.length);
  let text = "";
  for (const at of found)
    text += `${at} ${await bodyOf(await send(at, { as, headers: { accept: "application/json" } }))}\n`;
  return text;
}

/** As far as it comes: some never end. */
async function bodyOf(answer: Response): Promise<string> {
  const headers = JSON.stringify([...answer.headers]);
  if (!/event-stream/.test(answer.headers.get("content-type") ?? "")) return headers + (await answer.text());
  let text = headers;
  const late = AbortSignal.timeout(2_000);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const over = new Promise<undefined>((resolve) => late.addEventListener("abort", () => resolve(undefined)));
  for (let pieces = 0; pieces < 1_000; pieces += 1) {
    const piece = await Promise.race([reader?.read(), over]);
    if (piece === undefined || piece.done) break;
    text += piece.value;
  }
  await reader?.cancel();
  return text;
}

describe("secrets", () => {
  it("are planted", async () => {
    await plantAccess();
    await plantRefusals();
    await plantWork();
    expect(planted.size).toBeGreaterThanOrEqual(30);
    // All that happened has reached the log.
    await vi.waitFor(
      () => expect(lines.filter((line) => /"event":"item\.failed"/.test(line)).length).toBe(HOWS.length),
      SOON,
    );
  });

  it.each(Object.keys(places))("are not in %s", async (place) => {
    const text = (await places[place]?.()) ?? "";
    expect(text.length).toBeGreaterThan(100);
    const found = [...planted].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
    expect(found).toEqual([]);
  });

  it("are not in what is said when the database goes away", async () => {
    const before = lines.length;
    await database.stop();
    await refused("/api/v1/items", { as: "admin" });
    const text = lines.slice(before).join("") + problems.join("");
    expect(lines.length).toBeGreaterThan(before);
    expect([...planted].filter(([, secret]) => text.includes(secret))).toEqual([]);
  });
});
