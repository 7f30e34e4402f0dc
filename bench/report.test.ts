import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asMarkdown, asText, fillIn } from "./report.ts";
import { workloads } from "./workloads/index.ts";

describe("the page of figures", () => {
  const page = "before\n<!-- begin chain -->\nold\n<!-- end chain -->\nafter\n";

  it("keeps everything outside the marks", () => {
    expect(fillIn(page, "chain", "new")).toBe("before\n<!-- begin chain -->\n\nnew\n\n<!-- end chain -->\nafter\n");
    expect(() => fillIn(page, "latency", "new")).toThrow("no marks for latency");
  });

  it("has a place for every workload, and for the limit's SQL", () => {
    const real = readFileSync(new URL("../docs/performance.md", import.meta.url), "utf8");
    for (const name of [...Object.keys(workloads), "sql"]) expect(() => fillIn(real, name, "")).not.toThrow();
  });

  it("shows a table as text and as Markdown", () => {
    const table = [
      ["", "rate"],
      ["raw", "10"],
    ];
    expect(asText(table)).toBe("     rate\nraw    10");
    expect(asMarkdown(table)).toBe("|  | rate |\n|---|---:|\n| raw | 10 |");
  });
});
