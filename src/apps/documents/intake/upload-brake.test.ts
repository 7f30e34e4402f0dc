import { expect, it } from "vitest";
import { UploadBrake } from "./upload-brake.ts";

it("lets exactly so many uploads through in any minute, for each account", () => {
  let now = 0;
  const brake = new UploadBrake({ uploadsPerMinute: 2, uploadsAtOnce: 0 }, () => now);
  expect([brake.take("ann"), brake.take("ann"), brake.take("bob")]).toEqual([0, 0, 0]);
  now = 20_000;
  expect(brake.take("ann")).toBe(40_000);
  now = 60_000;
  expect([brake.take("ann"), brake.take("ann"), brake.take("ann")]).toEqual([0, 0, 60_000]);
  expect(new UploadBrake({ uploadsPerMinute: 0, uploadsAtOnce: 0 }, () => now).take("ann")).toBe(0);
});

it("lets so many be under way at a time, for each account", () => {
  const brake = new UploadBrake({ uploadsPerMinute: 0, uploadsAtOnce: 2 }, () => 0);
  const [first, second] = [brake.enter("ann"), brake.enter("ann")];
  expect([first, second, brake.enter("bob")]).toEqual([
    expect.any(Function),
    expect.any(Function),
    expect.any(Function),
  ]);
  expect(brake.enter("ann")).toBeUndefined();
  first?.();
  expect(brake.enter("ann")).toBeTypeOf("function");
  expect(brake.enter("ann")).toBeUndefined();
  const unlimited = new UploadBrake({ uploadsPerMinute: 0, uploadsAtOnce: 0 }, () => 0);
  for (let each = 0; each < 100; each += 1) expect(unlimited.enter("ann")).toBeTypeOf("function");
});
