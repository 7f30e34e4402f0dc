// The same for what people and programs ask of work that is there: an error that names the field, and nothing stored.

import { describe, expect, test } from "vitest";
import type { Sluice } from "../../../src/engine/index.ts";
import type { World } from "../world.ts";
import { expectNothingStored, refused } from "./nothing-stored.ts";

/** Callers without types pass anything. */
type Anything = never;
type Order = readonly [field: string, order: (sluice: Sluice) => Promise<unknown>];

const item = "itm_0000000zzzzzz" as Anything;
const request = "req_0000000zzzzzz" as Anything;
const operation = "opr_0000000zzzzzz" as Anything;
const bad = (value: unknown) => value as Anything;

const ACTIONS: readonly Order[] = [
  ["by", (s) => s.retry(item, { by: "" })],
  ["options", (s) => s.cancel(item, bad(null))],
  ["from", (s) => s.replay(item, bad({}))],
  ["from", (s) => s.replay(item, { from: "\0" })],
  ["as", (s) => s.replay(item, bad({ from: "a", as: "twin" }))],
  ["onto", (s) => s.replay(item, { from: "a", onto: 0.5 })],
  ["reason", (s) => s.skip(item, bad({}))],
  ["reason", (s) => s.skip(item, { reason: "x".repeat(3_000) })],
  ["stage", (s) => s.skip(item, { reason: "a", stage: "" })],
  ["item", (s) => s.takeBack(bad("itm_1"))],
  ["item", (s) => s.runOnce(bad(undefined))],
  ["by", (s) => s.runOnce(item, "\ud800")],
  ["priority", (s) => s.setPriority(item, 6)],
  ["priority", (s) => s.setPriority(request, bad("1"))],
  ["request", (s) => s.setPriority(bad("req_x"), 1)],
  ["item", (s) => s.retryParts(bad(5))],
];

const BULK: readonly Order[] = [
  ["action", (s) => s.bulk.start(bad({ type: "explode" }), { pipeline: "any" })],
  ["action", (s) => s.bulk.preview(bad(undefined), { pipeline: "any" })],
  ["from", (s) => s.bulk.start(bad({ type: "replay" }), { pipeline: "any" })],
  ["colour", (s) => s.bulk.start(bad({ type: "cancel", colour: "red" }), { pipeline: "any" })],
  ["filter", (s) => s.bulk.start({ type: "cancel" }, {})],
  ["filter", (s) => s.bulk.start({ type: "cancel" }, bad({ pipelines: "any" }))],
  ["filter", (s) => s.bulk.preview({ type: "cancel" }, bad("all"))],
  ["pipeline", (s) => s.bulk.start({ type: "cancel" }, { pipeline: "a\0" })],
  ["version", (s) => s.bulk.start({ type: "cancel" }, { version: -1 })],
  ["state", (s) => s.bulk.start({ type: "cancel" }, bad({ state: "tired" }))],
  ["olderThan", (s) => s.bulk.start({ type: "cancel" }, { olderThan: "soon" })],
  ["request", (s) => s.bulk.start({ type: "cancel" }, { request: bad(item) })],
  ["ids", (s) => s.bulk.start({ type: "cancel" }, { ids: [] })],
  ["ids[1]", (s) => s.bulk.start({ type: "cancel" }, { ids: [item, bad("itm_")] })],
  ["key", (s) => s.bulk.start({ type: "cancel" }, { pipeline: "any" }, { key: "" })],
  ["by", (s) => s.bulk.start({ type: "cancel" }, { pipeline: "any" }, { by: "\0" })],
  ["operation", (s) => s.bulk.get(bad("opr_"))],
  ["operation", (s) => s.bulk.stop(bad(item))],
  ["before", (s) => s.bulk.list({ before: bad(item) })],
  ["limit", (s) => s.bulk.list({ limit: 0 })],
  ["outcome", (s) => s.bulk.results(operation, { outcome: bad("great") })],
  ["after", (s) => s.bulk.results(operation, { after: bad(request) })],
  ["limit", (s) => s.bulk.results(operation, { limit: 1.5 })],
];

const DEPLOYS: readonly Order[] = [
  ["pipeline", (s) => s.switches.off(bad({ stage: "one" }))],
  ["pipeline", (s) => s.switches.off({ pipeline: "nobody", stage: "one" })],
  ["stage", (s) => s.switches.off(bad({ pipeline: "any" }))],
  ["stage", (s) => s.switches.on({ pipeline: "any", stage: "two" })],
  ["version", (s) => s.switches.off({ pipeline: "any", stage: "one", version: 7 })],
  ["scope", (s) => s.switches.off(bad(undefined))],
  ["note", (s) => s.switches.off({ pipeline: "any", stage: "one" }, { note: "" })],
  ["by", (s) => s.switches.off({ pipeline: "any", stage: "one" }, { by: "" })],
  ["pipeline", (s) => s.versions.set(bad(undefined), { 1: 100 })],
  ["shares", (s) => s.versions.set("any", bad(undefined))],
  ["shares", (s) => s.versions.set("any", { 1: 50 })],
  ["shares", (s) => s.versions.set("any", { 7: 100 })],
  ["version", (s) => s.versions.hold("any", bad(undefined))],
  ["version", (s) => s.versions.hold("any", 7)],
  ["pipeline", (s) => s.versions.hold("nobody", 1)],
  ["pipeline", (s) => s.versions.list("")],
  ["items", (s) => s.versions.compare("any", { items: 0 })],
];

const RECURRING: readonly Order[] = [
  ["name", (s) => s.finders.run("nobody", { dryRun: true })],
  ["name", (s) => s.finders.run(bad(undefined))],
  ["name", (s) => s.finders.run("a\0")],
  ["name", (s) => s.finders.rewind(bad({}), 1)],
  ["after", (s) => s.finders.rewind("numbers", undefined)],
  ["after", (s) => s.finders.rewind("numbers", 1n)],
  ["by", (s) => s.finders.run("numbers", { by: "" })],
  ["name", (s) => s.schedules.pause("a\0")],
  ["name", (s) => s.schedules.pause(bad(5))],
  ["name", (s) => s.schedules.run(bad(undefined))],
  ["by", (s) => s.schedules.pause("yearly", { by: "" })],
];

const REST: readonly Order[] = [
  ["request", (s) => s.remove(bad("req_x"))],
  ["request", (s) => s.remove(bad(null))],
  ["pipeline", (s) => s.remove(bad({ key: "a" }))],
  ["key", (s) => s.remove({ pipeline: "any", key: "\0" })],
  ["tx", (s) => s.remove(request, { tx: bad({}) })],
  ["item", (s) => s.estimate(bad("itm_"))],
  ["request", (s) => s.estimate(bad("req_"))],
  ["item", (s) => s.logs(bad(undefined))],
  ["limit", (s) => s.logs(item, { limit: 0 })],
  ["item", (s) => s.questions(bad("qst_0000000000001"))],
];

export function describeBadOrders(world: World): void {
  describe("bad orders", () => {
    expectNothingStored(world);

    test.each([
      ["single items", ACTIONS],
      ["many items", BULK],
      ["stages and versions", DEPLOYS],
      ["finders and schedules", RECURRING],
      ["what is kept, and what is read", REST],
    ])("about %s", async (_, orders) => {
      for (const [field, order] of orders) {
        await refused(() => order(world.sluice), field).catch((error: unknown) => {
          throw new Error(`${field} of ${String(order)}`, { cause: error });
        });
      }
    });

    test("about what does not exist", async () => {
      const { sluice } = world;
      expect(await sluice.replay(item, { from: "a" })).toEqual({ ok: false, reason: "there is no such item" });
      expect(await sluice.skip(item, { reason: "a" })).toMatchObject({ ok: false });
      expect(await sluice.takeBack(item)).toMatchObject({ ok: false });
      expect(await sluice.setPriority(request, 1)).toMatchObject({ ok: false });
      expect(await sluice.runOnce(item)).toMatchObject({ ok: false });
      expect(await sluice.remove(request)).toMatchObject({ ok: false });
      expect(await sluice.bulk.stop(operation)).toMatchObject({ ok: false });
      expect(await sluice.bulk.results(operation)).toEqual([]);
      expect(await sluice.logs(item)).toEqual([]);
      const notFound = { code: "NOT_FOUND" };
      await expect(sluice.bulk.get(operation)).rejects.toMatchObject({ ...notFound, field: "operation" });
      await expect(sluice.estimate(item)).rejects.toMatchObject({ ...notFound, field: "item" });
      await expect(sluice.estimate(request)).rejects.toMatchObject({ ...notFound, field: "request" });
    });
  });
}
