// Every route through the app object: an example of it succeeds and is answered as declared, a dry run of it changes nothing,
// and what only reads changes nothing either. That answers are as declared is seen by the world itself, whatever is asked.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Content, Schema } from "../../src/server/docs/api-document.ts";
import { actionOf } from "../../src/server/http/change-notes.ts";
import { SAME_AGAIN } from "../../src/server/idempotency/unknown-outcome.ts";
import type { Answered } from "../support/app-world.ts";
import { type ExampleWorld, openExampleWorld } from "../support/example-world.ts";
import { CHANGES, ELSEWHERE, type Example, made, NO_DRY_RUN, PAGED, READS, WHOLE } from "../support/examples.ts";
import { type Fingerprint, fingerprint } from "../support/fingerprint.ts";
import { closeServers } from "../support/loopback.ts";
import { impossibleIn, lookedUp, type OpenApi, objectsIn, operationsIn } from "../support/openapi.ts";

let world: ExampleWorld;
beforeAll(async () => {
  world = await openExampleWorld();
});
afterAll(async () => {
  await world.close();
  closeServers();
});

const stored = () => fingerprint(world.t.db);

/** In another spelling than usual, and with a key that must be free afterwards. */
const DRY = { query: "dryRun=yes", headers: { "idempotency-key": "once" } };

async function ask(route: string, example: Example, more: typeof DRY | undefined = undefined): Promise<Answered> {
  const [method = "", template = ""] = route.split(" ");
  const { params = {}, query = "", as, headers, body } = example;
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => params[name] ?? `no ${name} is given`);
  const asked = [query, more?.query ?? ""].filter((part) => part !== "").join("&");
  return await world.ask(`${path}?${asked}`, { method, as, body, headers: { ...headers, ...more?.headers } });
}

async function succeeds(route: string, example: Example): Promise<Answered> {
  const answered = await ask(route, example);
  expect(answered.status, `${route}: ${answered.text.slice(0, 500)}`).toBe(example.status ?? 200);
  return answered;
}

describe("routes", () => {
  it("all have an example, and no example is of a route that went", () => {
    const examples = [READS, CHANGES, NO_DRY_RUN, ELSEWHERE].flatMap((table) => Object.keys(table));
    const routes = world.server.policies.map(({ method, path }) => `${method} ${path}`);
    expect(examples.toSorted()).toEqual(routes.toSorted());
  });
});

describe("deeds that may be sent again where nobody knows what came of them", () => {
  it("are POSTs that there are", () => {
    const posts = world.server.policies.filter(({ method }) => method === "POST").map(actionOf);
    expect([...SAME_AGAIN].filter((action) => !posts.includes(action))).toEqual([]);
  });
});

describe("what only reads", () => {
  it.each(Object.entries(READS))("%s succeeds, and changes nothing", async (route, one) => {
    const example = await made(one, world);
    const before = await stored();
    const { json } = await succeeds(route, example);
    // A list without entries would say nothing about them.
    for (const list of ["entries", "events", "visits"]) expect(json?.[list]).not.toEqual([]);
    // To a member less is told.
    if (example.as === "viewer") await ask(route, { ...example, as: "mia" });
    expect(await stored()).toEqual(before);
  });
});

const SECRET = /\b(sl[a-z]|whsec)_[A-Za-z0-9_+/-]{16,}/;

const refusalOf = ({ status, json }: Answered) => (status < 400 ? "done" : [status, json.code, json.detail]);

describe("lists", () => {
  it("are all told alike, and either paged or known to be short", async () => {
    const document: OpenApi = await world.does("/openapi.json");
    const found = operationsIn(document).flatMap(({ where, operation }) => {
      const told = operation.responses?.["200"]?.content?.["application/json"]?.schema;
      const schema = told?.$ref === undefined ? told : (lookedUp(document, told.$ref) as Schema);
      return schema?.properties?.entries === undefined ? [] : [{ where, operation, next: schema.properties.next }];
    });
    expect(found.map(({ where }) => where).toSorted()).toEqual([...PAGED, ...WHOLE].toSorted());
    for (const { where, operation, next } of found) {
      const named = (operation.parameters ?? []).map(({ name }) => name);
      expect(
        ["after", "limit"].every((name) => named.includes(name)),
        where,
      ).toBe(PAGED.has(where));
      expect(JSON.stringify(next?.type), where).toBe(PAGED.has(where) ? '["string","null"]' : '"null"');
    }
  });

  it.each([...PAGED])("%s is the same one by one as all at once", async (route) => {
    const example = await made(READS[route] ?? {}, world);
    const query = (more: string) => ({ ...example, query: more });
    const { entries } = (await succeeds(route, query("limit=200"))).json;
    const seen: Entry[] = [];
    let next: string | null = "";
    for (let pages = 0; next !== null && pages < 400; pages += 1) {
      const { json } = await succeeds(
        route,
        query(`limit=1${next === "" ? "" : `&after=${encodeURIComponent(next)}`}`),
      );
      expect(json.entries.length).toBeLessThanOrEqual(1);
      seen.push(...json.entries);
      next = json.next;
    }
    expect(seen.map(idOf)).toEqual(entries.map(idOf));
    expect(entries.length).toBeGreaterThan(0);
    expect((await ask(route, query("limit=0"))).json.code).toBe("INVALID_INPUT");
  });
});

type Entry = Readonly<Record<string, unknown>>;
const idOf = (entry: Entry) => entry.id ?? entry.name ?? entry.item ?? entry;

/** It was done, here or elsewhere, and stands in the audit. */
function expectDone(before: Fingerprint, after: Fingerprint, isSent = false): void {
  const { "sluice_server.audit": noted, ...rest } = after;
  const { "sluice_server.audit": notedBefore, ...restBefore } = before;
  if (!isSent) expect(rest).not.toEqual(restBefore);
  expect(noted).not.toBe(notedBefore);
}

describe("what changes something", () => {
  it.each(Object.entries(CHANGES))("%s has a dry run that changes nothing, and is done", async (route, one) => {
    const example = await made(one, world);
    const before = await stored();
    const sent = world.hook.received.length;
    const { status, text } = await ask(route, example, DRY);
    expect(status, text.slice(0, 500)).toBe(200);
    expect(text).not.toMatch(SECRET);
    expect(await stored()).toEqual(before);
    expect(world.hook.received).toHaveLength(sent);
    await succeeds(route, example);
    expectDone(before, await stored(), world.hook.received.length > sent);
    // Once more is possible or not, and a dry run knows.
    await world.t.drain();
    const dry = await ask(route, example, DRY);
    expect(refusalOf(dry)).toEqual(refusalOf(await ask(route, example)));
  });
});

describe("what has no dry run", () => {
  it("is coming in and going out", () => {
    const open = world.server.policies.filter(({ method, policy }) => method !== "GET" && policy === "open");
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [...Object.keys(NO_DRY_RUN), "POST /api/v1/setup"].toSorted(),
    );
  });

  it.each(Object.entries(NO_DRY_RUN))("%s says so instead of doing it, and is done without", async (route, one) => {
    const example = await made(one, world);
    const before = await stored();
    const { json } = await ask(route, example, DRY);
    expect(json).toMatchObject({ code: "INVALID_INPUT", field: "dryRun" });
    expect(await stored()).toEqual(before);
    await succeeds(route, example);
    expectDone(before, await stored());
  });
});

describe("the OpenAPI document", () => {
  let document: OpenApi;
  let operations: ReturnType<typeof operationsIn>;
  beforeAll(async () => {
    document = await world.does("/openapi.json");
    operations = operationsIn(document);
  });

  it("is of 3.1, and has every route and no other", () => {
    expect([document.openapi, document.info]).toMatchObject(["3.1.0", { title: "Sluice", version: "0.0.0" }]);
    const routes = world.server.policies.map(({ method, path }) => `${method} ${path}`);
    expect(operations.map(({ where }) => where).toSorted()).toEqual(routes.toSorted());
    for (const { where, operation } of operations) {
      expect(operation.tags, where).toEqual([expect.any(String)]);
      expect(operation.summary, where).toMatch(/./);
    }
    const ids = operations.flatMap(({ operation }) => operation.operationId ?? []);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it("leads nowhere that is not there", () => {
    const refs = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(refs.length).toBeGreaterThan(50);
    expect(refs.filter((ref) => lookedUp(document, ref) === undefined)).toEqual([]);
    const schemes = new Set(operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys)));
    expect(Object.keys(document.components.securitySchemes)).toEqual([...schemes]);
  });

  it("declares every parameter once, and in a path those that it has", () => {
    for (const { where, path, operation } of operations) {
      const { parameters = [] } = operation;
      const named = parameters.map((one) => `${one.in} ${one.name}`);
      expect(named, where).toEqual([...new Set(named)]);
      const inPath = parameters.filter((one) => one.in === "path");
      const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name, required }) => required && name).toSorted(), where).toEqual(wanted.toSorted());
      const isChange = !where.startsWith("GET ");
      expect(named.includes("query dryRun"), where).toBe(isChange && operation["x-right"] !== "open");
      // The same POST again is done once, and everybody may know.
      const isKeyed = operation["x-right"] !== "open" && where.startsWith("POST ");
      expect(named.includes("header idempotency-key"), where).toBe(isKeyed);
      for (const { name, schema } of parameters) expect(schema?.type, `${where} ${name}`).toEqual(expect.any(String));
    }
  });

  it("says of every answer and every body what it is", () => {
    for (const { where, method, path, operation } of operations) {
      const { responses = {}, requestBody } = operation;
      const contents = Object.entries(responses).map(([status, { description, content }]) => {
        expect(description, `${where} ${status}`).toMatch(/./);
        return [status, content] as const;
      });
      expect(contents.filter(([status]) => /^[12]/.test(status)).length, where).toBeGreaterThan(0);
      // From 101 on it is another protocol.
      for (const [status, content] of [...contents, ...(requestBody ? [["body", requestBody.content] as const] : [])])
        if (status !== "101") expectSchemas(`${where} ${status}`, content);
      if (method === "GET") expect(requestBody, where).toBeUndefined();
      const wrong = responses.default?.content?.["application/problem+json"]?.schema;
      if (path.startsWith("/api/v1/")) expect(wrong?.$ref, where).toBe("#/components/schemas/Problem");
    }
  });

  it("has no shape that nothing could be, and no word of older versions", () => {
    expect(impossibleIn(document)).toEqual([]);
    const objects = [...objectsIn(document)];
    expect(objects.filter((one) => one.nullable === true || typeof one.exclusiveMinimum === "boolean")).toEqual([]);
  });
});

function expectSchemas(where: string, content: Content = {}): void {
  expect(Object.keys(content), where).not.toEqual([]);
  for (const { schema } of Object.values(content)) expect(Object.keys(schema ?? {}), where).not.toEqual([]);
}
