import { expect, it } from "vitest";
import { unknownOutcome, whereToLook } from "./unknown-outcome.ts";

it.each([
  ["/api/v1/items/itm_1/replay", "GET /api/v1/items/itm_1"],
  ["/api/v1/requests/req_1/cancel", "GET /api/v1/requests/req_1"],
  ["/api/v1/bulk", "GET /api/v1/bulk"],
  ["/api/v1/schedules/nightly/run", "GET /api/v1/schedules"],
  ["/api/v1/keys", "GET /api/v1/keys"],
])("what %s came to is seen at %s", (path, look) => expect(whereToLook(path)).toBe(look));

const told = (path: string, at: string) => {
  const { message, told: more } = unknownOutcome({ method: "POST", path, policy: "operate" }, at);
  return [message, more.instead];
};

it("what may be done twice may be sent again, the rest is to be looked at first", () => {
  expect(told("/api/v1/items/{item}/cancel", "/api/v1/items/1/cancel")).toEqual([
    expect.stringMatching(/send it again with a new Idempotency-Key: done twice it comes to the same/),
    ["POST /api/v1/items/1/cancel"],
  ]);
  expect(told("/api/v1/items/{item}/skip", "/api/v1/items/1/skip")).toEqual([
    expect.stringMatching(/look, and send it with a new Idempotency-Key if it is not$/),
    ["GET /api/v1/items/1"],
  ]);
});
