import { describe, expect, it } from "vitest";
import { type Line, Outbox } from "./outbox.ts";

const line = (json: string): Line => ({ kind: "event", id: json, json });
const progress = (json: string): Line => ({ kind: "event", id: null, json });
const taken = (outbox: Outbox) => outbox.take().lines.map(({ json }) => json);
const roomy = { lines: 100, characters: 1_000 };

describe("what waits to be sent", () => {
  it("goes out in order, once", () => {
    const outbox = new Outbox(roomy);
    expect(outbox.isEmpty).toBe(true);
    outbox.push(line("a"));
    outbox.push(line("b"));
    expect(outbox.isEmpty).toBe(false);
    expect([taken(outbox), taken(outbox)]).toEqual([["a", "b"], []]);
  });

  it("has one progress of an item, the newest", () => {
    const outbox = new Outbox(roomy);
    outbox.pushProgress(progress("x 10"), "x");
    outbox.pushProgress(progress("y 10"), "y");
    outbox.pushProgress(progress("x 20"), "x");
    expect(taken(outbox)).toEqual(["x 20", "y 10"]);
    outbox.pushProgress(progress("x 30"), "x");
    expect(taken(outbox)).toEqual(["x 30"]);
  });

  it("keeps progress on its side of what happened to the item", () => {
    const outbox = new Outbox(roomy);
    outbox.pushProgress(progress("search 90"), "x");
    outbox.push(line("search done"), "x");
    outbox.pushProgress(progress("encode 10"), "x");
    outbox.pushProgress(progress("encode 20"), "x");
    expect(taken(outbox)).toEqual(["search 90", "search done", "encode 20"]);
  });

  it.each([
    ["lines", { lines: 4, characters: 1_000 }],
    ["characters", { lines: 100, characters: 4 }],
  ])("is bounded by its %s: all of it is dropped, and whoever takes it is told", (_, limits) => {
    const outbox = new Outbox(limits);
    for (const json of ["a", "b", "c", "d", "e", "f"]) outbox.push(line(json));
    expect(outbox.isEmpty).toBe(false);
    expect(outbox.take()).toEqual({ lines: [], hasLost: true });
    outbox.push(line("g"));
    expect(outbox.take()).toEqual({ lines: [line("g")], hasLost: false });
  });

  it("never loses a transition for progress", () => {
    const outbox = new Outbox({ lines: 4, characters: 1_000 });
    for (const item of ["u", "v", "w", "x"]) outbox.pushProgress(progress(item), item);
    for (const json of ["a", "b"]) outbox.push(line(json));
    expect(outbox.take()).toEqual({ lines: [progress("u"), progress("v"), line("a"), line("b")], hasLost: false });
  });
});
