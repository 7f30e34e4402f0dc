import { expect, test } from "vitest";
import { persistently } from "./persistently.ts";

const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });
const away = Object.assign(new Error("connection reset"), { code: "ECONNRESET" });

/** Fails so many times, then answers with how often it was asked. */
function failing(times: number, error: Error) {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked <= times) throw error;
    return asked;
  };
}

test("what somebody was in the way of is tried again, ten times at most", async () => {
  expect(await persistently(failing(9, deadlock))).toBe(10);
  await expect(persistently(failing(10, deadlock))).rejects.toBe(deadlock);
});

test("anything else is thrown as it is", async () => {
  await expect(persistently(failing(1, away))).rejects.toBe(away);
});

test("the caller may know better what passes", async () => {
  expect(await persistently(failing(2, away), (error) => error === away)).toBe(3);
  await expect(persistently(failing(1, deadlock), () => false)).rejects.toBe(deadlock);
});
