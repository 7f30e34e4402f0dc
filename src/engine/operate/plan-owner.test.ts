// What an action comes to when one of an item's owners does it, who may do less than an admin.

import { describe, expect, it } from "vitest";
import { queued } from "../../../test/support/plan-facts.ts";
import type { ItemFacts } from "./facts.sql.ts";
import { type Ordered, plan } from "./plan.ts";

function planned(action: Ordered, facts: ItemFacts): string {
  const result = plan(action, facts, new Map());
  return "refusal" in result ? `no: ${result.refusal}` : JSON.stringify(result.change);
}

describe("an item that several asked for", () => {
  const shared = { ...queued, owners: ["ann", "bob"] };
  const taking: Ordered[] = [{ type: "cancel" }, { type: "skip", reason: "no" }];

  it.each(taking)("is not taken from the others by one of them: $type", (action) => {
    const refusal = "no: others asked for it too; leave it by cancelling the request, or have an admin do this";
    for (const asOwner of ["ann", "bob"]) expect(planned({ ...action, asOwner }, shared)).toBe(refusal);
    expect(planned({ ...action, asOwner: "ann" }, { ...queued, owners: ["bob"] })).toBe(refusal);
    expect(planned({ ...action, asOwner: "ann" }, { ...queued, owners: ["ann"] })).not.toMatch(/^no/);
    expect(planned(action, shared)).not.toMatch(/^no/);
  });

  it("is handled by each in ways that end nobody's work", () => {
    expect(planned({ type: "set-priority", priority: 1, asOwner: "bob" }, shared)).toMatch(/set-priority/);
  });
});

describe("an item that its owner wants to run once", () => {
  const held = { id: "7", is_queued: true, is_manual: false, is_held: true, is_paused: false, broken: null };

  it("is let past a switch, and not past a pause or a hold", () => {
    const asked = (is_paused: boolean, asOwner?: string) =>
      planned({ type: "run-once", asOwner }, { ...queued, barrier: { ...held, is_paused } });
    expect(asked(false, "ann")).toBe('{"type":"let-through"}');
    expect(asked(true, "ann")).toBe("no: a pause or a hold keeps it, and only an admin may let it past that");
    expect(asked(true)).toBe('{"type":"let-through"}');
  });
});
