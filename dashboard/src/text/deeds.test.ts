import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deeds } from "./deeds.ts";

const routes = join(import.meta.dirname, "../../../src/server/routes");

it("are all told in words that the server notes by a name of their own", () => {
  const texts = globSync("**/*.ts", { cwd: routes }).map((name) => readFileSync(join(routes, name), "utf8"));
  const lines = texts.flatMap((text) => text.match(/\baction: .*/g) ?? []);
  const names = lines.flatMap((line) => [...line.matchAll(/"([a-z-]+(?:\.[a-z-]+)+)"/g)].map(([, name]) => name ?? ""));
  expect(names).toContain("switch.off");
  expect(names.filter((name) => !Object.hasOwn(deeds, name))).toEqual([]);
});
