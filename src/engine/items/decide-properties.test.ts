import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { backoffRule } from "../pipeline/backoff.ts";
import { permanent, transient, unavailable } from "../pipeline/fault.ts";
import { again, ask, back, child, done, type Outcome, skip, spawn, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { JOURNAL_KIND } from "./codes.ts";
import { decide } from "./decide.ts";
import type { Rules, Standing, VisitResult } from "./standing.ts";
import type { Transition } from "./transition.ts";

const backoff = backoffRule({ base: "1m", cap: "30m" }, "backoff");
const fresh: Standing = { stage: 0, attempts: 0, series: 1, backs: 0, waits: 0, reason: null };
const song = child(definePipeline("songs", { version: 1, input: z.object({ title: z.string() }) }), { title: "Blue" });

describe("whatever happens", () => {
  const duration = fc.oneof(fc.integer(), fc.double(), fc.constantFrom("5s", "", "x", "1h30m"));
  const stageName = fc.constantFrom("search", "download", "deliver", "encode", "");
  const garbage = fc.anything();
  const text = fc.oneof(fc.string({ unit: "binary" }), garbage);
  const mangled = fc.oneof(
    fc.record({ type: fc.constant("done"), output: garbage, spawn: garbage }, { requiredKeys: ["type"] }),
    fc.record({ type: fc.constant("skip"), reason: text, output: garbage }, { requiredKeys: ["type"] }),
    fc.record({ type: fc.constant("again"), after: fc.oneof(duration, garbage) }, { requiredKeys: ["type"] }),
    fc.record(
      {
        type: fc.constant("wait"),
        reason: fc.oneof(fc.constant("x"), text),
        again: duration,
        signal: text,
        item: text,
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("back"), stage: fc.oneof(stageName, garbage), note: garbage },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("ask"), question: text, options: garbage, fallback: garbage },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("spawn"), children: fc.oneof(garbage, fc.array(garbage)) },
      { requiredKeys: ["type"] },
    ),
    garbage,
  );
  const sound = fc.oneof(
    fc.constantFrom<Outcome>(done(), skip("x"), again("5s"), wait("x", { again: 1 }), ask("x"), spawn([song])),
    stageName.map((name) => back(name)),
  );
  const fault = fc.oneof(
    fc.constantFrom(permanent("A", "a"), transient("B", "b"), unavailable("C", "c"), unavailable("DISK_FULL", "d")),
    fc.nat().map((retryAfter) => unavailable("BUSY", "busy", { retryAfter: retryAfter % 1e9 })),
  );
  const anyResult: fc.Arbitrary<VisitResult> = fc.oneof(
    fault.map((one) => ({ fault: one })),
    fc.oneof(sound, mangled).map((outcome) => ({ outcome: outcome as Outcome })), // untyped stages return anything
  );
  const anyRules = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }).map(
    (maxima): Rules => ({
      stages: maxima.map((attemptsMax, n) => ({
        name: ["search", "download", "deliver", "encode"][n] ?? "",
        attemptsMax,
        backoff,
      })),
    }),
  );
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  const next = (standing: Standing, transition: Transition): Standing | undefined => {
    if ("end" in transition.to) return undefined;
    const { attempts, series, backs, waits, reason } = transition;
    return { stage: transition.to.stage, attempts, series, backs, waits, reason: reason ?? standing.reason };
  };

  function expectLegal(given: Rules, standing: Standing, transition: Transition): void {
    const { attemptsMax = 0 } = given.stages[standing.stage] ?? {};
    expect(JOURNAL_KIND).toHaveProperty(transition.kind);
    expect(transition.attempt === null || (transition.attempt >= 1 && transition.attempt <= attemptsMax)).toBe(true);
    expect(transition.delayMs === null || (Number.isSafeInteger(transition.delayMs) && transition.delayMs >= 0)).toBe(
      true,
    );
    if (transition.kind === "fault") expect(transition.code).toMatch(/^[A-Z][A-Z0-9_]*$/);
    for (const stored of [transition.message, transition.reason]) {
      expect(stored === null || (stored.isWellFormed() && !stored.includes("\0"))).toBe(true);
    }
    if ("end" in transition.to) {
      const isLast = standing.stage === given.stages.length - 1;
      expect(transition.to.end).toBe(transition.kind === "fault" ? "failed" : "done");
      expect(transition.kind === "fault" || isLast).toBe(true);
      expect(transition.beside === null || transition.kind === "done").toBe(true);
      return;
    }
    // Alive: fewer attempts than the stage it is in allows; so attempts = max always means failed.
    expect(transition.attempts).toBeLessThan(given.stages[transition.to.stage]?.attemptsMax ?? 0);
    // Asleep for an unknown time only where something is known to wake it.
    if (transition.delayMs === null) expect(transition.beside).not.toBeNull();
    // Waiting means having a reason.
    if (transition.to.stage === standing.stage) expect(transition.reason).toMatch(/^[a-z][a-z0-9_]*$/);
    if (transition.to.stage > standing.stage) expect(transition.to.stage).toBe(standing.stage + 1);
    if (transition.to.stage < standing.stage) expect(transition.series).toBe(standing.series + 1);
  }

  test("every visit in any life of an item is decided, legally, whatever it returned", () => {
    fc.assert(
      fc.property(anyRules, fc.array(fc.tuple(anyResult, fraction), { maxLength: 40 }), (given, visits) => {
        let standing: Standing | undefined = fresh;
        for (const [result, chance] of visits) {
          const transition: Transition = decide(given, standing, result, chance);
          expectLegal(given, standing, transition);
          standing = next(standing, transition);
          if (standing === undefined) break;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("every life ends: what counts or moves cannot go on for ever", () => {
    const counting = fc.oneof(
      fc.constantFrom<VisitResult>({ outcome: done() }, { outcome: skip("x") }, { fault: transient("B", "b") }),
      stageName.map((name) => ({ outcome: back(name) })),
    );
    fc.assert(
      fc.property(anyRules, fc.infiniteStream(counting), (given, visits) => {
        // At most so many returns, and between two of them at most every attempt of every stage.
        const most = Math.max(...given.stages.map((stage) => stage.attemptsMax));
        const bound = most * given.stages.reduce((sum, stage) => sum + stage.attemptsMax, 0);
        let standing: Standing | undefined = fresh;
        for (let visit = 0; visit < bound && standing !== undefined; visit++) {
          standing = next(standing, decide(given, standing, visits.next().value, 0));
        }
        expect(standing).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test("lowering the attempts of a stage ends what has already used them at its next counted fault", () => {
    const lowered: Rules = { stages: [{ name: "search", attemptsMax: 3, backoff }] };
    const transition = decide(lowered, { ...fresh, attempts: 9 }, { fault: transient("B", "b") }, 0);
    expect(transition).toMatchObject({ to: { end: "failed" }, attempt: 10 });
  });

  test("chance lengthens a backoff", () => {
    const jittery = { stages: [{ name: "a", attemptsMax: 2, backoff: { ...backoff, jitterShare: 0.5 } }] };
    expect(decide(jittery, fresh, { fault: transient("X", "x") }, 0.5).delayMs).toBe(75_000);
  });
});
