// Errors: what each class of them costs, and how each ends.

import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  BugError,
  definePipeline,
  done,
  type ItemId,
  type Outcome,
  permanent,
  transient,
  unavailable,
} from "../../../src/engine/index.ts";
import { story, type World } from "../world.ts";

export function describeFaults(world: World): void {
  describe("a fault", () => {
    const tries = new Map<string, number>();
    const throwing: Record<string, (attempt: number, visit: number) => Outcome> = {
      permanent: () => {
        throw permanent("NO_SUCH_FILM", "nothing under that id");
      },
      flaky: (attempt) => {
        if (attempt < 3) throw transient("RESET", "connection reset");
        return done({ attempt });
      },
      hopeless: () => {
        throw transient("RESET", "connection reset");
      },
      busy: (attempt, visit) => {
        if (visit < 7) throw unavailable("BUSY", "come back later", { retryAfter: 10 });
        return done({ attempt });
      },
      unknown: () => {
        throw new RangeError("what is this");
      },
      text: () => {
        throw "just text";
      },
      bug: () => {
        throw new BugError("this cannot be");
      },
      assertion: () => {
        assert.equal(1, 2);
        return done();
      },
      nothing: () => undefined as unknown as Outcome,
      nonsense: () => ({ type: "finished" }) as unknown as Outcome,
      unstorable: () => done({ when: new Date(0) }),
      large: () => done({ text: "x".repeat(100_000) }),
      nul: () => {
        throw permanent("BAD_TEXT", "a\0b\ud800c");
      },
    };
    const faulty = definePipeline("faulty", { version: 1, input: z.object({ how: z.string() }) }).stage("work", {
      attempts: 3,
      backoff: { base: 10, cap: 10, jitter: 0 },
      run: ({ input: { how }, attempt }) => {
        tries.set(how, (tries.get(how) ?? 0) + 1);
        return throwing[how]?.(attempt, tries.get(how) ?? 0) as Outcome;
      },
    });
    world.use(faulty);

    const play = async (how: string) => {
      const request = await world.sluice.submit(faulty, [{ how }]);
      const result = await world.finished(request);
      return {
        ...result.items[0],
        tries: tries.get(how),
        story: (await story(world.sluice, request.items[0])).slice(1),
      };
    };

    test("that is permanent fails the item at once", async () => {
      expect(await play("permanent")).toMatchObject({
        state: "failed",
        code: "NO_SUCH_FILM",
        message: "nothing under that id",
        tries: 1,
        story: ["work fault NO_SUCH_FILM → failed"],
      });
    });

    test("that is transient is tried again after a while, and counted", async () => {
      expect(await play("flaky")).toMatchObject({
        state: "done",
        output: { attempt: 3 },
        story: ["work fault RESET", "work fault RESET", "work done"],
      });
    });

    test("that stays transient fails the item with its last attempt", async () => {
      expect(await play("hopeless")).toMatchObject({ state: "failed", code: "RESET", tries: 3 });
    });

    test("of somebody who is unavailable costs no attempt, however often", async () => {
      expect(await play("busy")).toMatchObject({
        state: "done",
        output: { attempt: 1 },
        tries: 7,
        story: ["work fault BUSY", "work done"],
      });
    });

    test("that nobody classified is tried again as UNKNOWN", async () => {
      expect(await play("unknown")).toMatchObject({
        state: "failed",
        code: "UNKNOWN",
        message: "what is this",
        tries: 3,
      });
      expect(await play("text")).toMatchObject({ state: "failed", code: "UNKNOWN", message: "just text", tries: 3 });
    });

    test.each(["bug", "assertion", "nothing", "nonsense", "unstorable", "large"])(
      "in our own code (%s) fails at once as BUG",
      async (how) => {
        expect(await play(how)).toMatchObject({ state: "failed", code: "BUG", tries: 1 });
      },
    );

    test("may say what PostgreSQL cannot store; the rest of it is kept", async () => {
      expect(await play("nul")).toMatchObject({ state: "failed", code: "BAD_TEXT", message: "ab\ufffdc" });
    });

    test("is explained", async () => {
      const request = await world.sluice.submit(faulty, [{ how: "permanent" }]);
      await world.finished(request);
      const { state, sentence, actions } = await world.sluice.explain(request.items[0] as ItemId);
      expect(state).toBe("failed");
      expect(sentence).toContain("NO_SUCH_FILM, nothing under that id");
      expect(actions).toContain("retry");
    });
  });
}
