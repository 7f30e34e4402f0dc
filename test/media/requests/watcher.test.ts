import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../sandbox/temporary-folder.ts";
import { ShelfWatcher } from "./watcher.ts";

const root = temporaryFolder("sluice-watcher");
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("sees every version of what has a name, and nothing that is still under another one", async () => {
  mkdirSync(join(root, "Films"), { recursive: true });
  const watcher = new ShelfWatcher(new Map([["attic", root]]));
  watcher.start();
  const seen = () => watcher.versions.map(({ path, bytes }) => `${path} ${bytes}`);
  writeFileSync(join(root, "Films/.whole.part"), "a whole film");
  renameSync(join(root, "Films/.whole.part"), join(root, "Films/whole"));
  writeFileSync(join(root, "Films/half"), "half");
  await expect.poll(seen).toEqual(expect.arrayContaining(["Films/whole 12", "Films/half 4"]));
  appendFileSync(join(root, "Films/half"), " and the rest");
  await expect.poll(seen).toContain("Films/half 17");
  mkdirSync(join(root, "Series"));
  writeFileSync(join(root, "Series/new"), "in a folder that is new");
  await expect.poll(seen).toContain("Series/new 23");
  watcher.stop();
  expect(watcher.versions).toHaveLength(4);
});
