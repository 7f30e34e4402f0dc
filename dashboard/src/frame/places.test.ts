import { expect, it } from "vitest";
import { placesOf } from "./places.ts";

it("without an application there is nothing of it", () => {
  const { main, more } = placesOf({ hasSandbox: false, apps: [] }, "admin");
  expect(main).toEqual(["/", "/work", "/services", "/activity"]);
  expect([...main, ...more]).not.toContain("/media");
  expect(placesOf(undefined, undefined).main).toHaveLength(4);
});

it("media is the first that members see, and the second for admins; four fit under a thumb, and none is lost", () => {
  const had = { hasSandbox: true, apps: ["media" as const] };
  const admin = placesOf(had, "admin");
  const member = placesOf(had, "member");
  expect(admin.main).toEqual(["/", "/media", "/work", "/services"]);
  expect(member.main).toEqual(["/media", "/", "/work", "/services"]);
  for (const { main, more } of [admin, member]) {
    expect([...main, ...more]).toHaveLength(9);
    expect(more[0]).toBe("/activity");
  }
});

it("documents stand beside media, and alone where it is not there", () => {
  const both = { hasSandbox: false, apps: ["media", "documents"] };
  expect(placesOf(both, "admin").main).toEqual(["/", "/media", "/documents", "/work"]);
  expect(placesOf(both, "member").main).toEqual(["/media", "/documents", "/", "/work"]);
  expect(placesOf(both, "member").more).toEqual(["/services", "/activity", "/pipelines", "/workers", "/settings"]);
  const alone = placesOf({ hasSandbox: false, apps: ["documents"] }, "viewer");
  expect(alone.main).toEqual(["/documents", "/", "/work", "/services"]);
  expect([...alone.main, ...alone.more]).not.toContain("/media");
});
