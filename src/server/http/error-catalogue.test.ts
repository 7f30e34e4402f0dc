// No code without an entry: they are collected from the sources.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CODES } from "../../apps/documents/index.ts";
import { FAILURES } from "../../engine/index.ts";
import { ERRORS, errorCatalogue, statusOf } from "./error-catalogue.ts";

const server = path.resolve(import.meta.dirname, "..");
const THROWN = /\b(?:SluiceError|TryLater)\(\s*"([A-Z_]+)"|\bproblem\(\s*\d+,\s*"([A-Z_]+)"|\bsuper\(\s*"([A-Z_]+)"/g;

function thrown(): string[] {
  const files = globSync("**/*.ts", { cwd: server }).filter((file) => !file.endsWith(".test.ts"));
  const codes = files.flatMap((file) =>
    [...readFileSync(path.join(server, file), "utf8").matchAll(THROWN)].map(
      ([, ...found]) => found.find(Boolean) ?? "",
    ),
  );
  return [...new Set(codes)].sort();
}

describe("the catalogue of errors", () => {
  it("has every code that the server gives", () => {
    const codes = thrown();
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
  });

  it("has every failure that the engine gives, and every code of documents", () => {
    const items = errorCatalogue().filter((one) => one.of === "item");
    expect(items.map((one) => one.code)).toEqual([...Object.keys(FAILURES), "GW_4XX", "GW_5XX", "GW_TIMEOUT"]);
    const known = errorCatalogue().map((one) => one.code);
    expect(CODES.filter((code) => !known.includes(code))).toEqual([]);
  });

  it("tells each in sentences", () => {
    for (const { code, sentence, advice } of errorCatalogue()) {
      expect(sentence, code).toMatch(/^[A-Z].*\.$/);
      expect(advice, code).toMatch(/\.$/);
    }
  });

  it("gives the status; what is not known is the caller's", () => {
    expect([statusOf("NOT_FOUND"), statusOf("RATE_LIMITED"), statusOf("toString")]).toEqual([404, 429, 400]);
  });
});
