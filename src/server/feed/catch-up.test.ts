import { describe, expect, it } from "vitest";
import type { EventPage } from "../../engine/index.ts";
import { manualClock } from "../../kit/index.ts";
import { CatchUp } from "./catch-up.ts";

const at = (xid: number) => `1-${xid.toString(36)}-1`;

function world() {
  const clock = manualClock();
  const state = { reads: 0, head: at(10), answer: async (after: string): Promise<EventPage> => end(after) };
  const end = (cursor: string): EventPage => ({ events: [], cursor, isEnd: true });
  const read = (after: string) => {
    state.reads += 1;
    return state.answer(after);
  };
  return { clock, state, catchUp: new CatchUp({ clock, read, head: () => state.head }) };
}

describe("catching up", () => {
  it("reads a page once for all who ask for it within a moment", async () => {
    const { clock, state, catchUp } = world();
    await Promise.all(Array.from({ length: 500 }, () => catchUp.page(at(3))));
    expect(state.reads).toBe(1);
    await clock.advance(1_001);
    await catchUp.page(at(3));
    await catchUp.page(at(4));
    expect(state.reads).toBe(3);
  });

  it("stands where the shared reader was when the page was asked for, not where it is by now", async () => {
    const { state, catchUp } = world();
    const answered = Promise.withResolvers<EventPage>();
    state.answer = () => answered.promise;
    const page = catchUp.page(at(3));
    state.head = at(20);
    answered.resolve({ events: [], cursor: at(3), isEnd: true });
    expect(await page).toMatchObject({ cursor: at(10), isEnd: true });
    expect(await catchUp.page(at(3))).toMatchObject({ cursor: at(10) });
  });

  it("goes no further than the page where that is not the end", async () => {
    const { state, catchUp } = world();
    state.answer = async () => ({ events: [], cursor: at(5), isEnd: false });
    expect(await catchUp.page(at(3))).toMatchObject({ cursor: at(5), isEnd: false });
  });

  it("does not keep a page that leads nowhere", async () => {
    const { state, catchUp } = world();
    state.head = at(3);
    await catchUp.page(at(3));
    state.head = at(4);
    expect(await catchUp.page(at(3))).toMatchObject({ cursor: at(4) });
    expect(state.reads).toBe(2);
  });

  it("tries again what failed", async () => {
    const { state, catchUp } = world();
    state.answer = () => Promise.reject(new Error("away"));
    await expect(catchUp.page(at(3))).rejects.toThrow("away");
    state.answer = async (cursor) => ({ events: [], cursor, isEnd: true });
    expect(await catchUp.page(at(3))).toMatchObject({ isEnd: true });
  });
});
