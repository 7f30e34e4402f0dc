import { describe, expect, it } from "vitest";
import { leanFlags } from "./lean-heap.ts";

const MB = 1024 * 1024;
const SMALL = 30 * MB;

describe("a worker's heap", () => {
  it("is kept small", () => {
    expect(leanFlags([], "13.6.233.17-node.50", SMALL)).toEqual([
      "--semi-space-growth-factor=1",
      "--heap-growing-percent=100",
    ]);
    expect(leanFlags(["--enable-source-maps", "--title=x"], "12.4.254.21", SMALL)).toHaveLength(2);
  });

  it("is left alone where somebody said how large it may be", () => {
    expect(leanFlags(["--max-semi-space-size=32"], "13.6", SMALL)).toEqual([]);
    expect(leanFlags(["--no-warnings --max_old_space_size=4096"], "13.6", SMALL)).toEqual([]);
  });

  it("is left alone where the process has filled it with something else", () => {
    expect(leanFlags([], "13.6", 80 * MB)).toHaveLength(2);
    expect(leanFlags([], "13.6", 81 * MB)).toEqual([]);
  });

  it("is left alone by a V8 that may not know how", () => {
    expect(leanFlags([], "15.0", SMALL)).toEqual([]);
    expect(leanFlags([], "11.3", SMALL)).toEqual([]);
  });
});
