import { expect, it } from "vitest";
import { countOf, emptyText, saidBy, shownBy } from "./shown.ts";

it.each(["member", "admin", "viewer"] as const)("what an address says for a %s is read and said alike", (role) => {
  const said = { show: "failed", name: "report" };
  expect(saidBy(shownBy(said, role))).toEqual(said);
});

it("an address that says what nobody knows shows all", () => {
  expect(shownBy({ show: "sideways", owner: "nobody" }, "admin")).toMatchObject({ show: "all", owner: "everyone" });
});

it("a member sees their own, whatever is asked for; an admin chooses", () => {
  expect(shownBy({ owner: "everyone" }, "member").owner).toBe("me");
  expect(saidBy(shownBy({ owner: "me" }, "member"))).toEqual({});
  expect(saidBy(shownBy({ owner: "me" }, "admin"))).toEqual({ owner: "me" });
  expect(shownBy({ owner: "me" }, "viewer").owner).toBe("everyone");
});

it("what is empty says why", () => {
  expect(emptyText(shownBy({}, "member"))).toMatch(/^Nothing has been uploaded yet\. Drop/);
  expect(emptyText(shownBy({}, "viewer"))).toBe("Nothing has been uploaded yet.");
  expect(emptyText(shownBy({ owner: "me" }, "admin"))).toBe("You have uploaded nothing yet.");
  expect(emptyText(shownBy({ show: "failed" }, "admin"))).toBe("Nothing failed.");
  expect(emptyText(shownBy({ show: "failed", name: "x" }, "admin"))).toBe("Nothing has “x” in its name.");
});

it("counts those of a state, those under way, and all", () => {
  const counts = { queued: 1, processing: 2, complete: 4, failed: 8, expired: 16, cancelled: 32 };
  expect([countOf("open", counts), countOf("failed", counts), countOf("all", counts)]).toEqual([3, 8, 63]);
});
