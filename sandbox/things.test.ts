import { describe, expect, it } from "vitest";
import { silentLogger } from "../src/kit/index.ts";
import { Ring } from "./processes/ring.ts";
import { type Running, type Thing, Things } from "./things.ts";

/** A process that only notes what it is told. */
class Pretended implements Running {
  readonly name = "converter";
  readonly log = new Ring();
  readonly told: string[] = [];
  state: Running["state"] = "up";
  downSince: Date | null = null;
  starts: () => Promise<void> = async () => undefined;
  hears: () => Promise<void> = async () => undefined;

  async start(faults: readonly string[] = []): Promise<void> {
    this.told.push(`start ${faults.join(" ")}`);
    await this.starts();
    this.state = "up";
    this.downSince = null;
  }
  async tell(faults: readonly string[]): Promise<void> {
    this.told.push(`has ${faults.join(" ")}`);
    await this.hears();
  }
  async stop(): Promise<void> {
    this.told.push("stop");
    this.state = "down";
    this.downSince = new Date();
  }
  async kill(): Promise<void> {
    this.told.push("kill");
  }
}

const text = { does: "Does it.", expect: "See it." };
function world() {
  const process = new Pretended();
  const ends: Thing["ends"] = { name: "stop", by: "stop", ...text };
  const faults = { slow: text, lie: text };
  const things = new Things([{ process, about: "Converts.", service: "converter", ends, faults }], silentLogger);
  const broken = () => things.things().flatMap((one) => one.faults.filter((fault) => fault.brokenSince !== null));
  return { process, things, broken: () => broken().map(({ name }) => name) };
}

describe("things to break", () => {
  it("are told all the faults they have at a time", async () => {
    const { process, things, broken } = world();
    await things.break("converter", "slow");
    await things.break("converter", "lie");
    expect(broken()).toEqual(["slow", "lie"]);
    await things.mend("converter", "slow");
    expect(broken()).toEqual(["lie"]);
    expect(process.told).toEqual(["has slow", "has slow lie", "has lie"]);
  });

  it("are stopped and started, and have their other faults again then", async () => {
    const { process, things, broken } = world();
    await things.break("converter", "lie");
    await things.break("converter", "stop");
    expect([things.things()[0]?.state, broken()]).toEqual(["down", ["stop", "lie"]]);
    await things.mend("converter", "stop");
    expect([things.things()[0]?.state, broken()]).toEqual(["up", ["lie"]]);
    expect(process.told.at(-1)).toBe("start lie");
  });

  it("that ended by themselves are told as stopped", () => {
    const { process, broken } = world();
    process.downSince = new Date();
    expect(broken()).toEqual(["stop"]);
  });

  it("that do not start say why, and stay broken", async () => {
    const { process, things, broken } = world();
    await things.break("converter", "stop");
    process.starts = () => Promise.reject(new Error("converter did not start: the port is taken"));
    await expect(things.mend("converter", "stop")).rejects.toMatchObject({ code: "REFUSED", message: /port is taken/ });
    expect(broken()).toEqual(["stop"]);
    process.starts = async () => undefined;
    await things.mend("converter", "stop");
    expect(broken()).toEqual([]);
  });

  it("that cannot be told are as they were", async () => {
    const { process, things, broken } = world();
    await things.break("converter", "lie");
    process.hears = () => Promise.reject(new Error("it does not listen"));
    await expect(things.break("converter", "slow")).rejects.toMatchObject({ code: "REFUSED", message: /listen/ });
    expect(broken()).toEqual(["lie"]);
    await expect(things.mend("converter", "lie")).rejects.toMatchObject({ code: "REFUSED" });
    expect(broken()).toEqual(["lie"]);
  });

  it("are handled one after the other", async () => {
    const { process, things } = world();
    await things.break("converter", "stop");
    const gate = Promise.withResolvers<void>();
    process.starts = () => gate.promise;
    const both = [things.mend("converter", "stop"), things.break("converter", "slow")];
    await Promise.resolve();
    expect(process.told).toEqual(["stop", "start "]);
    gate.resolve();
    await Promise.all(both);
    expect(process.told).toEqual(["stop", "start ", "has slow"]);
  });

  it("have no other faults than their own", async () => {
    const { things } = world();
    await expect(things.break("converter", "fill")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(things.break("oven", "stop")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
