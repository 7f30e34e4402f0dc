import { afterEach, describe, expect, test } from "vitest";
import type { Deed } from "../../../../test/support/threads/deeds.ts";
import { transient } from "../../pipeline/fault.ts";
import type { Visit } from "../../pipeline/visit.ts";
import type { Threads } from "../threads.ts";
import { type ThreadPoolOptions, threadPool } from "./thread-pool.ts";

const MODULE = new URL("../../../../test/support/threads/deeds.ts", import.meta.url).href;
const open: Threads[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.stop()));
});

function pool(options: ThreadPoolOptions = {}) {
  const made = threadPool({ most: 1, graceMs: 50, ...options });
  open.push(made);
  const started = Promise.withResolvers<void>();
  const told: unknown[] = [];
  const act = (does: Deed["does"], abort = new AbortController()) => {
    const checkpoint = {
      value: 7 as unknown,
      async save(value: unknown) {
        told.push(["saved", value]);
      },
    };
    const log = (text: string, facts?: unknown) => void told.push([text, facts]);
    const visit = {
      input: { does },
      ...{ part: undefined, out: {}, pipeline: "p", stage: "s", key: "k", trace: undefined, attempt: 1, because: {} },
      item: { id: "itm_1", request: "req_1", owner: null },
      signal: abort.signal,
      checkpoint,
      progress: (percent: number) => {
        told.push(["progress", percent]);
        started.resolve();
      },
      log: { info: log, warn: log, error: log },
    } as unknown as Visit;
    return made.run(MODULE, visit).catch((error: unknown) => error);
  };
  return { act, told, started: started.promise, stop: () => made.stop() };
}

describe("a handler in a thread", () => {
  test("is given what a visit has, and its outcome, checkpoint, progress and notes come back", async () => {
    const { act, told } = pool();
    expect(await act("sum")).toMatchObject({
      type: "done",
      output: { key: "k", attempt: 1, stage: "s", saved: { half: true } },
    });
    expect(told).toEqual([
      ["progress", 40],
      ["half", { from: 7 }],
      ["saved", { half: true }],
    ]);
  });

  test("fails with what it throws, classified as everywhere; and calls no services", async () => {
    const { act } = pool();
    expect(await act("throw")).toMatchObject({ kind: "transient", code: "UNKNOWN" });
    expect(await act("call")).toMatchObject({ kind: "permanent", code: "BUG" });
  });

  test("that computes without end keeps neither this thread nor the next visit from going on", async () => {
    const { act } = pool({ most: 2 });
    const abort = new AbortController();
    const spinning = act("spin", abort);
    for (let n = 0; n < 3; n += 1) expect(await act("sum")).toMatchObject({ type: "done" });
    const late = transient("TIMEOUT", "too long");
    abort.abort(late);
    expect(await spinning).toBe(late);
  });

  test("that does not hear its signal is ended with its thread, and the next one gets another", async () => {
    const { act } = pool();
    const abort = new AbortController();
    const spinning = act("spin", abort);
    const next = act("sum");
    abort.abort(transient("TIMEOUT", "too long"));
    expect(await spinning).toMatchObject({ code: "TIMEOUT" });
    expect(await next).toMatchObject({ type: "done" });
  });

  test("hears its signal, and its thread is used again", async () => {
    const { act, started } = pool({ graceMs: 600_000 });
    const abort = new AbortController();
    const obeying = act("obey", abort);
    await started;
    abort.abort(transient("TAKEN", "gone"));
    expect(await obeying).toMatchObject({ code: "TAKEN" });
    expect(await act("sum")).toMatchObject({ type: "done" });
  });

  test("that waits for a thread is let go when it may no longer act", async () => {
    const { act } = pool();
    void act("spin");
    const abort = new AbortController();
    const waiting = act("sum", abort);
    abort.abort(transient("TAKEN", "gone"));
    expect(await waiting).toMatchObject({ code: "TAKEN" });
  });

  test.each(["exit", "grow"] as const)("whose thread dies (%s) has failed for now, and nobody else", async (does) => {
    const { act } = pool({ memoryMb: 64 });
    expect(await act(does)).toMatchObject({ kind: "transient", code: "THREAD_DIED", breaker: "none" });
    expect(await act("sum")).toMatchObject({ type: "done" });
  });

  test("is ended when the pool stops, and so is who waits for a thread", async () => {
    const { act, stop } = pool();
    const both = [act("spin"), act("sum")];
    await stop();
    for (const one of await Promise.all(both)) expect(one).toMatchObject({ code: "STOPPING" });
  });
});
