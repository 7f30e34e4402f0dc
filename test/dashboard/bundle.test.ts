// What a browser has to fetch before it shows anything, over a slow line too.

import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const FOLDER = path.resolve(import.meta.dirname, "../../dist/dashboard");
const MOST = 220 * 1_024;

/** The page's own scripts, and all that those import before they run. */
function firstLoad(): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  const page = readFileSync(path.join(FOLDER, "index.html"), "utf8");
  const open = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name = ""]) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (sizes.has(name)) continue;
    const text = readFileSync(path.join(FOLDER, name), "utf8");
    sizes.set(name, gzipSync(text, { level: 9 }).byteLength);
    const imports = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, file = ""]) => file);
    open.push(...imports.map((file) => path.posix.join(path.posix.dirname(name), file)));
  }
  return sizes;
}

it("is 220 KiB of JavaScript at most, packed", () => {
  const sizes = firstLoad();
  expect(sizes.size).toBeGreaterThan(1);
  const sum = [...sizes.values()].reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(50_000);
  expect(sum).toBeLessThanOrEqual(MOST);
});
