import { expect, it } from "vitest";
import { untilClosed } from "./closing.ts";

const pipelines = (...states: string[]) =>
  ({ entries: [{ closed: [] }, { closed: states.map((state) => ({ state })) }] }) as never;

it("what is closing is asked for again soon, until it is closed", () => {
  expect(untilClosed(pipelines("off", "closing"))).toBe(2_000);
  expect(untilClosed(pipelines("off"))).toBe(false);
  expect(untilClosed(undefined)).toBe(false);
});
