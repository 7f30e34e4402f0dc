import { describe, expect, it } from "vitest";
import { leanFlags } from "./lean-heap.ts";

describe("a worker's heap", () => {
  it("is kept small", () => {
    expect(leanFlags([], "13.6.233.17-node.50")).toEqual([
      "--semi-space-growth-factor=1",
      "--heap-growing-percent=100",
    ]);
    expect(leanFlags(["--enable-source-maps", "--title=x"], "12.4.254.21")).toHaveLength(2);
  });

  it("is left alone where somebody said how large it may be", () => {
    expect(leanFlags(["--max-semi-space-size=32"], "13.6")).toEqual([]);
    expect(leanFlags(["--no-warnings --max_old_space_size=4096"], "13.6")).toEqual([]);
  });

  it("is left alone by a V8 that may not know how", () => {
    expect(leanFlags([], "15.0")).toEqual([]);
    expect(leanFlags([], "11.3")).toEqual([]);
  });
});
