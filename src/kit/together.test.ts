import { describe, expect, test } from "vitest";
import type { Service } from "./start-stop.ts";
import { manualClock } from "./testing/manual-clock.ts";
import { together } from "./together.ts";

describe("together", () => {
  function recorded(log: string[], name: string, fails: { start?: boolean; stop?: boolean } = {}): Service {
    return {
      async start() {
        log.push(`start ${name}`);
        if (fails.start) throw new Error(`${name} cannot start`);
      },
      async stop() {
        log.push(`stop ${name}`);
        if (fails.stop) throw new Error(`${name} cannot stop`);
      },
    };
  }

  test("starts in order and stops in reverse, once each", async () => {
    const log: string[] = [];
    const both = together([recorded(log, "a"), recorded(log, "b")]);
    await Promise.all([both.start(), both.start()]);
    await Promise.all([both.stop(), both.stop()]);
    await both.start();
    expect(log).toEqual(["start a", "start b", "stop b", "stop a"]);
  });

  test("when one cannot start, what was begun is stopped and the error thrown", async () => {
    const log: string[] = [];
    const all = together([recorded(log, "a"), recorded(log, "b", { start: true }), recorded(log, "c")]);
    await expect(all.start()).rejects.toThrow("b cannot start");
    await all.stop();
    expect(log).toEqual(["start a", "start b", "stop b", "stop a"]);
  });

  test("when stopping after a failed start fails too, neither error is lost", async () => {
    const all = together([recorded([], "a", { stop: true }), recorded([], "b", { start: true })]);
    await expect(all.start()).rejects.toMatchObject({
      errors: [{ message: "b cannot start" }, { message: "a cannot stop" }],
    });
  });

  test("one that cannot stop does not keep the others running", async () => {
    const log: string[] = [];
    const all = together([recorded(log, "a", { stop: true }), recorded(log, "b", { stop: true }), recorded(log, "c")]);
    await all.start();
    await expect(all.stop()).rejects.toThrow("2 services failed to stop");
    expect(log.slice(3)).toEqual(["stop c", "stop b", "stop a"]);
  });

  test("a stop during start-up starts no further service and stops those begun", async () => {
    const log: string[] = [];
    const clock = manualClock();
    const slow: Service = { start: () => clock.sleep(10), stop: async () => void log.push("stop slow") };
    const all = together([slow, recorded(log, "b")]);
    const starting = all.start();
    const stopping = all.stop();
    await clock.advance(10);
    await Promise.all([starting, stopping]);
    expect(log).toEqual(["stop slow"]);
  });

  test("stopped before it started it touches nothing", async () => {
    const log: string[] = [];
    const all = together([recorded(log, "a")]);
    await all.stop();
    await all.start();
    expect(log).toEqual([]);
  });
});
