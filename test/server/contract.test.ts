// Every route through the app object: an example of it succeeds and is answered as declared, a dry run of it changes nothing,
// and what only reads changes nothing either. That answers are as declared is seen by the world itself, whatever is asked.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered } from "../support/app-world.ts";
import { type ExampleWorld, openExampleWorld } from "../support/example-world.ts";
import { CHANGES, ELSEWHERE, type Example, made, NO_DRY_RUN, READS } from "../support/examples.ts";
import { type Fingerprint, fingerprint } from "../support/fingerprint.ts";
import { closeServers } from "../support/loopback.ts";

let world: ExampleWorld;
beforeAll(async () => {
  world = await openExampleWorld();
});
afterAll(async () => {
  await world.close();
  closeServers();
});

const stored = () => fingerprint(world.t.db);

async function ask(route: string, example: Example, more = ""): Promise<Answered> {
  const [method = "", template = ""] = route.split(" ");
  const { params = {}, query = "", as, headers, body } = example;
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => params[name] ?? `no ${name} is given`);
  const asked = [query, more].filter((part) => part !== "").join("&");
  return await world.ask(`${path}${asked === "" ? "" : `?${asked}`}`, {
    method,
    as,
    body,
    ...(headers === undefined ? {} : { headers }),
  });
}

async function succeeds(route: string, example: Example): Promise<void> {
  const { status, text } = await ask(route, example);
  expect(status, `${route}: ${text.slice(0, 500)}`).toBe(example.status ?? 200);
}

describe("routes", () => {
  it("all have an example, and no example is of a route that went", () => {
    const examples = [READS, CHANGES, NO_DRY_RUN, ELSEWHERE].flatMap((table) => Object.keys(table));
    const routes = world.server.policies.map(({ method, path }) => `${method} ${path}`);
    expect(examples.toSorted()).toEqual(routes.toSorted());
  });
});

describe("what only reads", () => {
  it.each(Object.entries(READS))("%s succeeds, and changes nothing", async (route, one) => {
    const example = await made(one, world);
    const before = await stored();
    await succeeds(route, example);
    expect(await stored()).toEqual(before);
  });
});

/** It was done, and stands in the audit. */
function expectDone(before: Fingerprint, after: Fingerprint): void {
  const { "sluice_server.audit": noted, ...rest } = after;
  const { "sluice_server.audit": notedBefore, ...restBefore } = before;
  expect(rest).not.toEqual(restBefore);
  expect(noted).not.toBe(notedBefore);
}

describe("what changes something", () => {
  it.each(Object.entries(CHANGES))("%s has a dry run that changes nothing, and is done", async (route, one) => {
    const example = await made(one, world);
    const before = await stored();
    const { status, text } = await ask(route, example, "dryRun=true");
    expect(status, text.slice(0, 500)).toBe(200);
    expect(await stored()).toEqual(before);
    await succeeds(route, example);
    expectDone(before, await stored());
  });
});

describe("what has no dry run", () => {
  it.each(Object.entries(NO_DRY_RUN))("%s says so instead of doing it, and is done without", async (route, one) => {
    const example = await made(one.example, world);
    const before = await stored();
    const { json } = await ask(route, example, "dryRun=true");
    expect(json).toMatchObject({ code: "INVALID_INPUT", field: "dryRun" });
    expect(await stored()).toEqual(before);
    await succeeds(route, example);
    expectDone(before, await stored());
  });
});
