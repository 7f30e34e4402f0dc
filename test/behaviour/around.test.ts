// Functions around every visit: the real engine on a virtual clock.

import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Around, definePipeline, done, permanent, transient, wait } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const input = z.object({ does: z.enum(["done", "fails", "waits", "nothing"]) });
const context = new AsyncLocalStorage<string>();
const seen: (string | undefined)[] = [];

const pipeline = definePipeline("films", { version: 1, input }).stage("encode", {
  attempts: 1,
  enter: [() => void seen.push(context.getStore())],
  run: (visit) => {
    seen.push(context.getStore());
    switch (visit.input.does) {
      case "fails":
        throw permanent("BROKEN", "it is broken");
      case "waits":
        return wait("later", { again: "1h" });
      case "nothing":
        return undefined as never;
      case "done":
        return done({ well: true });
    }
  },
});

async function through(around: readonly Around[], does: z.infer<typeof input>["does"]): Promise<string | undefined> {
  seen.length = 0;
  open = await testSluice({ pipelines: [pipeline], around });
  const { items } = await open.submit(pipeline, [{ does }]);
  await open.drain();
  return (await open.trace(items[0] as (typeof items)[number])).at(-1);
}

const told = (lines: string[], name: string): Around => {
  return async (visit, next) => {
    lines.push(`${name} before ${visit.pipeline}.${visit.stage} try ${visit.attempt}`);
    const came = await next().catch((error: unknown) => {
      lines.push(`${name} after ${String(error)}`);
      throw error;
    });
    lines.push(`${name} after ${came}`);
  };
};

describe("around", () => {
  it("wraps the first of the list outermost, and sees what came of the visit", async () => {
    const lines: string[] = [];
    expect(await through([told(lines, "outer"), told(lines, "inner")], "done")).toBe("encode done");
    expect(lines).toEqual([
      "outer before films.encode try 1",
      "inner before films.encode try 1",
      "inner after done",
      "outer after done",
    ]);
  });

  it.each([
    ["waits", "encode wait later", "wait"],
    ["nothing", "encode fault BUG → failed", undefined],
  ] as const)("sees that it %s", async (does, last, came) => {
    const told: unknown[] = [];
    expect(await through([async (_visit, next) => void told.push(await next())], does)).toBe(last);
    expect(told).toEqual([came]);
  });

  it("carries a context to gates and handler", async () => {
    await through([(_visit, next) => context.run("here", next)], "done");
    expect(seen).toEqual(["here", "here"]);
  });

  it("sees the handler's fault, and cannot make it undone", async () => {
    const lines: string[] = [];
    const forgiving: Around = async (_visit, next) => {
      await next().catch(() => undefined);
    };
    expect(await through([forgiving, told(lines, "inner")], "fails")).toBe("encode fault BROKEN → failed");
    expect(lines.at(-1)).toMatch(/it is broken/);
  });

  it("cannot change what the handler returned", async () => {
    const other: Around = async (_visit, next) => {
      await next();
      return wait("never", { again: "1h" });
    };
    expect(await through([other], "done")).toBe("encode done");
  });

  it("need not wait for it", async () => {
    const hasty: Around = (_visit, next) => void next();
    expect(await through([hasty], "fails")).toBe("encode fault BROKEN → failed");
  });

  it.each([
    [
      "before",
      async () => Promise.reject(transient("NO_TRACE", "collector is away")),
      "encode fault NO_TRACE → failed",
    ],
    [
      "after",
      async (_visit: unknown, next: () => Promise<unknown>) => {
        await next();
        throw permanent("UNSEEN", "nobody saw it");
      },
      "encode fault UNSEEN → failed",
    ],
    [
      "instead",
      async (_visit: unknown, next: () => Promise<unknown>) => {
        await next().catch(() => {
          throw permanent("RENAMED", "otherwise");
        });
      },
      "encode fault RENAMED → failed",
    ],
  ] as const)("that throws %s has failed the visit as its handler would", async (when, around, last) => {
    expect(await through([around], when === "instead" ? "fails" : "done")).toBe(last);
  });

  it.each([
    ["does not call next()", async () => undefined, 0],
    [
      "calls it twice",
      async (_visit: unknown, next: () => Promise<unknown>) => {
        await next();
        await next();
      },
      2,
    ],
  ] as const)("that %s is a bug, and runs nothing for it", async (_what, around, ran) => {
    expect(await through([around], "done")).toBe("encode fault BUG → failed");
    expect(seen).toHaveLength(ran);
  });
});
