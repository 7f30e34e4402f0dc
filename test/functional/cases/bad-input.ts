// What cannot be used is refused with an error that names the field, and nothing is stored.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";
import { expectNothingStored, refused } from "./nothing-stored.ts";

/** Callers without types pass anything. */
type Anything = never;

interface Answering {
  readonly validate: (value: unknown) => unknown;
}

/** A schema of the author's own making, which may do anything. */
function ownSchema({ validate }: Answering) {
  const standard = { version: 1 as const, vendor: "own", validate: validate as (value: unknown) => { value: unknown } };
  return { "~standard": standard };
}

export function describeBadInput(world: World): void {
  describe("bad input", () => {
    const any = definePipeline("any", { version: 1, input: z.unknown() }).stage("one", { run: () => done() });
    const strict = definePipeline("strict", {
      version: 1,
      input: z.object({ film: z.object({ titles: z.array(z.string()), year: z.int().min(1880) }) }),
    }).stage("one", { run: () => done() });
    const hostile = {
      throws: ownSchema({
        validate: () => {
          throw new TypeError("\0 cannot read");
        },
      }),
      rejects: ownSchema({ validate: () => Promise.reject(new Error("later")) }),
      "answers nothing": ownSchema({ validate: () => undefined }),
      "answers nonsense": ownSchema({ validate: () => ({ issues: "many" }) }),
      "names no place": ownSchema({ validate: () => ({ issues: [{}] }) }),
      "makes a BigInt of it": ownSchema({ validate: () => ({ value: 1n }) }),
      "makes nothing of it": ownSchema({ validate: () => ({ value: undefined }) }),
    };
    const hostiles = Object.entries(hostile).map(([how, input], index) => ({
      how,
      pipeline: definePipeline(`hostile-${index}`, { version: 1, input }).stage("one", { run: () => done() }),
    }));
    world.use(any, strict, ...hostiles.map((one) => one.pipeline));

    expectNothingStored(world);
    const submit = (value: unknown, options: unknown = {}) =>
      world.sluice.submit(any, [value] as Anything, options as Anything);

    test.each([
      ["another type", { film: "Alien" }, "items[0].film"],
      ["a missing field", { film: { year: 1979 } }, "items[0].film.titles"],
      ["a wrong element", { film: { titles: ["a", 2], year: 1979 } }, "items[0].film.titles[1]"],
      ["no object", null, "items[0]"],
    ])("an input that its schema refuses: %s", async (_, value, field) => {
      await refused(() => world.sluice.submit(strict, [value] as Anything), field);
    });

    test("the second of several", async () => {
      const good = { film: { titles: [], year: 1979 } };
      await refused(() => world.sluice.submit(strict, [good, { film: { titles: [], year: 1 } }]), "items[1].film.year");
    });

    test.each([
      ["10 MB", { a: "x".repeat(10 * 1024 * 1024) }, "items[0]"],
      ["a little more than is stored", { a: "x".repeat(64 * 1024) }, "items[0]"],
      ["a NUL", { a: { b: "x\0y" } }, "items[0].a.b"],
      ["a NUL in a name", { "a\0": 1 }, 'items[0]["a\\u0000"]'],
      ["half a surrogate pair", ["\ud83d"], "items[0][0]"],
      ["a BigInt", { n: 1n }, "items[0].n"],
      ["a Date", { at: new Date(0) }, "items[0].at"],
      ["a hole in a list", { list: [1, undefined] }, "items[0].list[1]"],
      ["NaN", { n: Number.NaN }, "items[0].n"],
      ["a function", { f: () => 1 }, "items[0].f"],
      ["nothing at all", undefined, "items[0]"],
    ])("an input that cannot be stored: %s", async (_, value, field) => {
      await refused(() => submit(value), field);
    });

    test.each([
      ["no list", "film"],
      ["nothing", undefined],
      ["an empty list", []],
      ["more than ten thousand", Array(10_001).fill(1)],
    ])("instead of a list of inputs: %s", async (_, inputs) => {
      await refused(() => world.sluice.submit(any, inputs as Anything), "items");
    });

    test.each([
      [{ priority: 0 }, "priority"],
      [{ priority: 6 }, "priority"],
      [{ priority: 2.5 }, "priority"],
      [{ priority: Number.NaN }, "priority"],
      [{ priority: "1" }, "priority"],
      [{ delay: -1 }, "delay"],
      [{ delay: "-5s" }, "delay"],
      [{ delay: "soon" }, "delay"],
      [{ delay: Number.POSITIVE_INFINITY }, "delay"],
      [{ delay: "11000d" }, "delay"],
      [{ key: "" }, "key"],
      [{ key: 7 }, "key"],
      [{ key: "a\0" }, "key"],
      [{ key: "\udc00" }, "key"],
      [{ key: "k".repeat(513) }, "key"],
      [{ owner: "" }, "owner"],
      [{ owner: {} }, "owner"],
      [{ owner: "o".repeat(300) }, "owner"],
      [{ fairness: "\0" }, "fairness"],
      [{ deadline: 0 }, "deadline"],
      [{ deadline: "soon" }, "deadline"],
      [{ delay: "2h", deadline: "1h" }, "deadline"],
      [{ trace: "00-0-0-0" }, "trace"],
      [{ trace: 5 }, "trace"],
      [{ key: "k", unique: "sometimes" }, "unique"],
      [{ key: "k", unique: null }, "unique"],
      [{ key: "k", unique: { window: -1 } }, "unique.window"],
      [{ key: "k", unique: {} }, "unique.window"],
      [{ key: "k", onConflict: "fight" }, "onConflict"],
      [{ tx: 5 }, "tx"],
      [{ tx: null }, "tx"],
      [{ tx: {} }, "tx"],
      [null, "options"],
    ])("the option %o", async (options, field) => {
      await refused(() => submit(1, options), field);
    });

    test("a pipeline that nobody opened with", async () => {
      const unknown = definePipeline("unknown", { version: 1, input: z.unknown() }).stage("one", { run: () => done() });
      expect(await refused(() => world.sluice.submit(unknown, [1]), "pipeline")).toContain("unknown@1");
      await refused(() => world.sluice.submit({ ...any, version: 9 } as Anything, [1] as Anything), "pipeline");
      await refused(() => world.sluice.submit(undefined as Anything, [1] as Anything), "pipeline");
    });

    test.each(hostiles)("a schema that $how", async ({ pipeline }) => {
      await refused(() => world.sluice.submit(pipeline, [{ a: 1 }]), "items[0]");
    });

    test.each([
      undefined,
      null,
      5,
      "",
      "1",
      "itm_",
      "itm_1",
      "qst_0000000000001",
      "itm_0000000000001x",
      "itm_zzzzzzzzzzzzz",
      "itm_00000000000'1",
    ])("%o as an item's id", async (id) => {
      const { sluice } = world;
      await refused(() => sluice.cancel(id as Anything), "item");
      await refused(() => sluice.retry(id as Anything), "item");
      await refused(() => sluice.explain(id as Anything), "item");
      await refused(() => sluice.item(id as Anything), "item");
      await refused(() => sluice.history(id as Anything), "item");
    });

    test.each([undefined, 5, "req_x", "itm_0000000000001"])("%o as another id", async (id) => {
      await refused(() => world.sluice.result(id as Anything), "request");
      await refused(() => world.sluice.request(id as Anything), "request");
      await refused(() => world.sluice.answer(id as Anything, "a"), "question");
    });

    test("an id of something that does not exist", async () => {
      const item = "itm_0000000zzzzzz" as Anything;
      expect(await world.sluice.cancel(item)).toMatchObject({ ok: false });
      expect(await world.sluice.cancel("req_0000000zzzzzz" as Anything)).toMatchObject({ ok: false });
      expect(await world.sluice.retry(item)).toMatchObject({ ok: false });
      expect(await world.sluice.answer("qst_0000000zzzzzz" as Anything, 1)).toMatchObject({ ok: false });
      await expect(world.sluice.explain(item)).rejects.toMatchObject({ code: "NOT_FOUND", field: "item" });
      await expect(world.sluice.item(item)).rejects.toMatchObject({ code: "NOT_FOUND", field: "item" });
    });

    test("in what people say when they act", async () => {
      const { sluice } = world;
      const item = "itm_0000000zzzzzz" as Anything;
      const question = "qst_0000000zzzzzz" as Anything;
      await refused(() => sluice.cancel(item, "\0"), "by");
      await refused(() => sluice.retry(item, ""), "by");
      await refused(() => sluice.answer(question, undefined), "answer");
      await refused(() => sluice.answer(question, { a: 1n }), "answer.a");
      await refused(() => sluice.signal(""), "key");
      await refused(() => sluice.signal("k".repeat(600)), "key");
      await refused(() => sluice.signal("k", { at: new Date(0) }), "payload.at");
      await refused(() => sluice.pause(undefined as Anything), "scope");
      await refused(() => sluice.pause({ stages: "x" } as Anything), "scope");
      await refused(() => sluice.pause({ pipeline: 5 } as Anything), "pipeline");
      await refused(() => sluice.pause({ version: 0.5 }), "version");
      await refused(() => sluice.pause({ stage: "\0" }), "stage");
      await refused(() => sluice.pause({ pipeline: "any" }, { note: "\ud800" }), "note");
      await refused(() => sluice.resume({ pipeline: "" }), "pipeline");
    });
  });
}
