import { expect, it } from "vitest";
import type { CheckResult } from "../../engine/index.ts";
import { doctorText } from "./doctor.ts";

const check: CheckResult = {
  ...{ name: "lease-of-nobody", isOk: true, found: [], since: null, place: "0" },
  ...{ wrong: "Items are in nobody's hands.", remedy: "Start a worker." },
};

it("the doctor prints each check, what is wrong and what to do", () => {
  expect(doctorText({ isOk: true, checks: [check] })).toBe("ok      lease-of-nobody\nNothing is wrong.");
  expect(doctorText({ isOk: false, checks: [{ ...check, isOk: false, found: ["item 7", "item 8"] }] })).toBe(
    [
      "BROKEN  lease-of-nobody: Items are in nobody's hands.",
      "        item 7; item 8",
      "        → Start a worker.",
      "1 of 1 checks found something.",
    ].join("\n"),
  );
});
