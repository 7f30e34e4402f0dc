import { expect, it } from "vitest";
import { meantBy, select, selectionFor } from "./selection.ts";

const FAILED = "state:failed";

it("what was ticked is meant by its ids", () => {
  expect(meantBy(select(FAILED, ["itm_1", "itm_2"]))).toBe("id:itm_1,itm_2");
});

it("all that match are meant by the filter itself", () => {
  expect(meantBy({ ...select(FAILED, ["itm_1"]), isAll: true })).toBe(FAILED);
});

it("another filter has nothing selected, least of all everything", () => {
  const all = { ...select(FAILED, ["itm_1"]), isAll: true };
  expect(selectionFor("state:done", all)).toEqual(select("state:done"));
  expect(selectionFor(FAILED, all)).toBe(all);
});

it("whoever ticks something else no longer means all", () => {
  expect(select(FAILED, ["itm_1", "itm_2"]).isAll).toBe(false);
});
