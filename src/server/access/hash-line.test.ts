import { expect, it } from "vitest";
import { HashLine } from "./hash-line.ts";

/** Work that ends when it is told to. */
function works(count: number) {
  const all = Array.from({ length: count }, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const begin = (line: HashLine, n: number) =>
    line.run(() => {
      begun.push(n);
      return all[n]?.promise as Promise<number>; // as many as were asked for
    });
  return { all, begun, begin };
}

it("does so many at once, lets so many wait in turn, and refuses the rest with a time", async () => {
  const line = new HashLine(2, 2);
  const { all, begun, begin } = works(4);
  const results = [0, 1, 2, 3].map((n) => begin(line, n));
  await expect(line.run(async () => 9)).rejects.toMatchObject({ code: "UNAVAILABLE", retryAfterMs: 2_000 });
  expect(begun).toEqual([0, 1]);
  all[1]?.resolve(1);
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, one] of all.entries()) one.resolve(n);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  expect(await line.run(async () => 9)).toBe(9);
});

it("goes on after work that failed", async () => {
  const line = new HashLine(1, 1);
  const failed = line.run(() => Promise.reject(new Error("no memory")));
  const next = line.run(async () => "done");
  await expect(failed).rejects.toThrow("no memory");
  expect(await next).toBe("done");
});
