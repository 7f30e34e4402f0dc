import { expect, it } from "vitest";
import { firstFound } from "./first-found.ts";

/** Pages by what comes after them, and the places that were asked for. */
function list(pages: readonly (readonly string[])[]) {
  const asked: (string | undefined)[] = [];
  const pageAfter = async (after: string | undefined) => {
    asked.push(after);
    const at = Number(after ?? 0);
    return { entries: [...(pages[at] ?? [])], next: at + 1 < pages.length ? String(at + 1) : null };
  };
  return { asked, pageAfter };
}

it("is the first page where something is on it", async () => {
  const { asked, pageAfter } = list([["a"], ["b"]]);
  expect(await firstFound(pageAfter, undefined)).toEqual({ entries: ["a"], next: "1" });
  expect(asked).toEqual([undefined]);
});

it("is further back where the newest hold nothing, with what comes after that", async () => {
  const { asked, pageAfter } = list([[], [], ["c"], ["d"]]);
  expect(await firstFound(pageAfter, undefined)).toEqual({ entries: ["c"], next: "3" });
  expect(asked).toEqual([undefined, "1", "2"]);
  expect(await firstFound(pageAfter, "3")).toEqual({ entries: ["d"], next: null });
});

it("is empty where there is nothing at all, and is not looked for without end", async () => {
  expect(await firstFound(list([[], []]).pageAfter, undefined)).toEqual({ entries: [], next: null });
  const { asked, pageAfter } = list(Array.from({ length: 100 }, () => []));
  expect(await firstFound(pageAfter, undefined)).toEqual({ entries: [], next: "10" });
  expect(asked).toHaveLength(10);
});
