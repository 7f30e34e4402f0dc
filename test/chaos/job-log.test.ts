import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Asked } from "./evidence.ts";
import { jobFacts, LoggedWorld } from "./job-log.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-jobs-"));
  path = join(folder, "jobs.log");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const asked = (tag: string, fate: Asked["fate"] = "well"): Asked => ({ tag, fate, blips: 0 });
const tick = (world: LoggedWorld, times: number) => {
  for (let i = 0; i < times; i += 1) world.tick();
};

describe("the memory of the job service", () => {
  it("is the same for whoever reads it again, wherever the one before was killed", () => {
    const first = new LoggedWorld(path);
    const { id } = first.start("a", asked("t1"));
    first.start("b", asked("t2"));
    tick(first, 3);
    const second = new LoggedWorld(path);
    expect(second.byIds([id])).toEqual(first.byIds([id]));
    expect(second.start("a", asked("t1"))).toEqual({ id, isNew: false });
    tick(second, 10);
    expect(new LoggedWorld(path).truth()).toEqual(second.truth());
  });

  it("tells of each key how often it was asked for, made, done and removed", () => {
    const world = new LoggedWorld(path);
    world.start("a", asked("t1"));
    world.start("a", asked("t1"));
    const { id } = world.start("b", asked("t2", "endless"));
    world.start("c", asked("t3", "endless"));
    tick(world, 10);
    world.cancel(id);
    expect(jobFacts(path)).toEqual([
      { key: "a", tag: "t1", starts: 2, made: 1, effects: 1, removed: 0, isAlive: false },
      { key: "b", tag: "t2", starts: 1, made: 1, effects: 0, removed: 1, isAlive: false },
      { key: "c", tag: "t3", starts: 1, made: 1, effects: 0, removed: 0, isAlive: true },
    ]);
  });
});
