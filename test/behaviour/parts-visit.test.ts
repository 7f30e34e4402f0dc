// What a part is given, what its item does, and what a crash in between leaves behind.

import { afterEach, describe, expect, it } from "vitest";
import { reclaim } from "../../src/engine/items/lease.sql.ts";
import { transient } from "../../src/engine/pipeline/fault.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId } from "../../src/kit/index.ts";
import { film } from "../support/films.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

describe("parts", () => {
  it("have their own checkpoint, key and outputs of the stages before", async () => {
    const seen: unknown[] = [];
    const pipeline = definePipeline("films", { version: 1, input: film })
      .stage("encode", { run: () => done({ file: "a.mkv" }) })
      .stage("deliver", {
        parts: ({ input, out }) => input.targets.map((name) => ({ name, from: out.encode.file })),
        backoff: { base: "1m", cap: "1m" },
        run: async ({ part, checkpoint, attempt, key, input, out }) => {
          seen.push({
            name: part.name,
            from: part.from,
            file: out.encode.file,
            title: input.title,
            saved: checkpoint.value,
          });
          keys.push(`${part.name} ${key}`);
          if (attempt > 1) return done();
          await checkpoint.save(`half of ${part.name}`);
          throw transient("EIO", "bad sector");
        },
      });
    const keys: string[] = [];
    open = await testSluice({ pipelines: [pipeline] });
    await open.submit(pipeline, [{ title: "Alien", targets: ["a", "b"] }]);
    await open.advance("5m");
    const told = { from: "a.mkv", file: "a.mkv", title: "Alien" };
    expect(seen).toHaveLength(4);
    for (const name of ["a", "b"]) {
      expect(seen).toContainEqual({ name, ...told, saved: undefined });
      expect(seen).toContainEqual({ name, ...told, saved: `half of ${name}` });
    }
    expect(new Set(keys).size).toBe(2);
  });

  it("see only their own element, and an item's gates and commit only the whole", async () => {
    const met: string[] = [];
    const pipeline = definePipeline("films", { version: 1, input: film }).stage("deliver", {
      parts: ({ input }) => input.targets,
      run: ({ part }) => done(part),
      enter: [() => void met.push("enter")],
      leave: [({ out }) => void met.push(`leave ${JSON.stringify(out.deliver)}`)],
      commit: async (_tx, items) =>
        void met.push(`commit ${items.map((one) => one.output.delivered.join("+")).join()}`),
    });
    open = await testSluice({ pipelines: [pipeline] });
    await open.submit(pipeline, [{ title: "Alien", targets: ["a", "b"] }]);
    await open.advance("1m");
    expect(met).toEqual([
      "enter",
      `leave ${JSON.stringify({ delivered: ["a", "b"], failed: [], cancelled: [], outputs: { a: "a", b: "b" } })}`,
      "commit a+b",
    ]);
  });
});

describe("a crash", () => {
  /** Everything in this worker's hands is taken back, as after its death; what it does from then on is refused. */
  const takeBack = async (t: TestSluice) => {
    const [worker] = await t.db.query<{ epoch: string }>(
      { name: "epochs", text: "select epoch from sluice.worker" },
      [],
    );
    await reclaim(t.db, worker?.epoch ?? "0");
  };

  /** The first call stays away until it is let go; later ones answer at once. */
  const gateOf = () => {
    const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const released = Promise.withResolvers<void>();
    let calls = 0;
    return {
      letGo: () => released.resolve(),
      /** Resolves when it was called for the n-th time, counted from 0. */
      entered: (n: number) => entered[n]?.promise,
      async wait(): Promise<void> {
        const call = calls;
        calls += 1;
        entered[call]?.resolve();
        if (call === 0) await released.promise;
      },
    };
  };

  const deliver = (at: "parts" | "leave", gate: ReturnType<typeof gateOf>, delivered: string[]) =>
    definePipeline("films", { version: 1, input: film }).stage("deliver", {
      parts: async ({ input }) => {
        if (at === "parts") await gate.wait();
        return input.targets;
      },
      run: ({ part }) => {
        delivered.push(part);
        return done();
      },
      leave: [async () => (at === "leave" ? await gate.wait() : undefined)],
      timeout: "1d",
    });

  it.each(["parts", "leave"] as const)("in %s makes no part twice", async (at) => {
    const gate = gateOf();
    const delivered: string[] = [];
    const pipeline = deliver(at, gate, delivered);
    open = await testSluice({ pipelines: [pipeline] });
    const t = open;
    const { request, items } = await t.submit(pipeline, [{ title: "Alien", targets: ["a", "b"] }]);
    const moving = t.drain();
    await gate.entered(0);
    await takeBack(t);
    await gate.entered(1);
    gate.letGo();
    await moving;
    await t.advance("1m");
    expect(delivered.sort()).toEqual(["a", "b"]);
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    const [counts] = await t.db.query(
      { name: "parts", text: "select count(*)::int as n from sluice.item where part is not null" },
      [],
    );
    expect(counts).toEqual({ n: 2 });
    expect(await t.trace(items[0] as ItemId)).toContain("deliver reclaimed");
  });
});
