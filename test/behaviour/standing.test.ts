// Reads for a first look: how pipelines fare, who works, what people are asked; of all, and of one owner.

import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { ask, definePipeline, done, type QuestionId, service, unavailable } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const input = z.object({ what: z.enum(["ask", "fail", "pass"]) });
const films = definePipeline("films", { version: 1, input })
  .stage("choose", {
    run: (visit) => {
      if (visit.input.what === "fail") throw new TypeError("broken");
      return visit.input.what === "ask" ? ask("which?", { options: ["a", "b"] }) : done();
    },
    attempts: 1,
  })
  .stage("keep", { run: () => done() });

const shop = service("shop");
const orders = definePipeline("orders", { version: 1, input: z.object({}) }).stage("buy", {
  uses: shop,
  run: () => {
    throw unavailable("CLOSED", "closed today");
  },
});

let t: TestSluice;
afterEach(() => t.close());

it("tells how pipelines fare: all together, and of one owner", async () => {
  t = await testSluice({ pipelines: [films] });
  await t.submit(films, [{ what: "ask" }, { what: "pass" }, { what: "fail" }], { owner: "mia" });
  await t.submit(films, [{ what: "pass" }], { owner: "mo" });
  await t.submit(films, [{ what: "pass" }], { owner: "mo", delay: "1h" });
  await t.drain();
  const zeros = { queued: 0, running: 0, isMore: false };
  const of = async (owner?: string) => (await t.sluice.standing({ owner })).find((one) => one.pipeline === "films");
  expect(await of()).toMatchObject({ ...zeros, waiting: 1, needsYou: 1, done: 2, failed: 1, took: { p50Ms: 0 } });
  expect(await of("mia")).toMatchObject({ ...zeros, waiting: 0, needsYou: 1, done: 1, failed: 1 });
  expect(await of("mo")).toMatchObject({ ...zeros, waiting: 1, needsYou: 0, done: 1, failed: 0 });
  expect(await of("nobody")).toBeUndefined();
  await t.advance("2d");
  expect(await of("mo")).toMatchObject({ waiting: 0, done: 0 });
});

it("counts what has ended by whole items, whatever parts they had", async () => {
  const copies = definePipeline("copies", { version: 1, input: z.object({}) }).stage("deliver", {
    parts: () => ["nas", "shelf", "cellar"],
    attempts: 1,
    run: ({ part }) => {
      if (part === "cellar") throw new TypeError("flooded");
      return done();
    },
  });
  t = await testSluice({ pipelines: [copies] });
  await t.submit(copies, [{}, {}], { owner: "mia" });
  await t.advance("5m");
  const [of] = await t.sluice.standing({ owner: "mia" });
  expect(of).toMatchObject({ pipeline: "copies", done: 2, failed: 0 });
  const all = (await t.sluice.standing()).find((one) => one.pipeline === "copies");
  expect(all).toMatchObject({ done: 2, failed: 0 });
});

it("tells whose questions are open, a page at a time", async () => {
  t = await testSluice({ pipelines: [films] });
  for (const owner of ["mia", "mo", "mia"]) {
    await t.submit(films, [{ what: "ask" }], { owner });
    await t.drain();
  }
  const [first, second, third] = await t.sluice.questions();
  expect(await t.sluice.questions(undefined, { owner: "mia" })).toEqual([first, third]);
  expect(await t.sluice.questions(undefined, { after: first?.id, limit: 1 })).toEqual([second]);
  await expect(t.sluice.questions(undefined, { limit: 0 })).rejects.toThrow(/^limit /);
  const id = first?.id as QuestionId; // there are three
  expect(await t.sluice.question(id, { owner: "mia" })).toEqual({ ...first, isOpen: true });
  await expect(t.sluice.question(id, { owner: "mo" })).rejects.toThrow(`there is no question ${id}`);
  await t.sluice.answer(id, "a");
  expect(await t.sluice.question(id)).toMatchObject({ isOpen: false });
});

it("tells who works, and who did", async () => {
  t = await testSluice({ pipelines: [films] });
  const [worker, ...others] = await t.sluice.workers();
  expect(others).toEqual([]);
  expect(worker).toMatchObject({ name: "test", host: "test", pid: 1, state: "alive", items: 0, endedAt: null });
  expect(worker?.pipelines).toContainEqual({ name: "films", version: 1 });
  await t.db.query(
    { name: "leave", text: "update sluice.worker set state = 1, ended_at = sluice.now() where pid = 1" },
    [],
  );
  expect(await t.sluice.workers()).toMatchObject([{ state: "left", endedAt: t.now() }]);
});

it("counts who stands in line for a service", async () => {
  t = await testSluice({ pipelines: [orders], services: { shop: () => ({}) } });
  await t.submit(orders, [{}, {}, {}]);
  await t.drain();
  expect(await t.sluice.behindServices()).toEqual(new Map([["shop", 3]]));
});
