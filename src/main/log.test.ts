import { expect, it } from "vitest";
import { makeLog } from "./log.ts";

function told(options: { readonly format: "json" | "pretty"; readonly requests?: string }): string[] {
  const lines: string[] = [];
  const log = makeLog({ ...options, to: (line) => lines.push(line) });
  log.info("http.answered", { route: "/well", status: 200 });
  log.info("http.answered", { route: "/missing", status: 404 });
  log.info("worker.back", { awayMs: 5 });
  return lines.flatMap((line) => /\/well|\/missing|awayMs/.exec(line)?.[0] ?? []);
}

it("tells people of requests that failed, and programs of all", () => {
  expect(told({ format: "pretty" })).toEqual(["/missing", "awayMs"]);
  expect(told({ format: "json" })).toEqual(["/well", "/missing", "awayMs"]);
});

it("tells those that are asked for", () => {
  expect(told({ format: "pretty", requests: "all" })).toEqual(["/well", "/missing", "awayMs"]);
  expect(told({ format: "json", requests: "failed" })).toEqual(["/missing", "awayMs"]);
});

it("goes on after its level was changed", () => {
  const lines: string[] = [];
  const log = makeLog({ format: "pretty", to: (line) => lines.push(line) });
  log.level = "warn";
  log.info("http.answered", { status: 500 });
  log.warn("worker.late", {});
  expect(lines).toHaveLength(1);
});
