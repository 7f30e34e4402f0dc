import { expect, it } from "vitest";
import type { Asked, Client } from "./client.ts";
import { askAll } from "./pages.ts";

it("a list is read to its end, page by page", async () => {
  const asked: unknown[] = [];
  const pages = [
    { entries: [1, 2], next: "b" },
    { entries: [], next: "c" },
    { entries: [3], next: null },
  ];
  const ask = async (path: string, { query }: Asked = {}) => {
    asked.push([path, query]);
    return pages.shift();
  };
  expect(await askAll({ ask: ask as Client["ask"] }, "/list", { of: "x" })).toEqual({ entries: [1, 2, 3], next: null });
  expect(asked).toEqual([undefined, "b", "c"].map((after) => ["/list", { of: "x", limit: 200, after }]));
});
