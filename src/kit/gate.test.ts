import { expect, it } from "vitest";
import { Gate } from "./gate.ts";

it("a gate lets so many through at a time, in the order they came, also past one that failed", async () => {
  const gate = new Gate(2);
  const inside: string[] = [];
  const doors = new Map<string, PromiseWithResolvers<string>>();
  const enter = (name: string) => {
    const door = Promise.withResolvers<string>();
    doors.set(name, door);
    return gate.pass(() => {
      inside.push(name);
      return door.promise;
    });
  };
  const [a, b, c, d] = ["a", "b", "c", "d"].map(enter);
  expect(inside).toEqual(["a", "b"]);
  doors.get("b")?.reject(new Error("no"));
  await expect(b).rejects.toThrow("no");
  expect(inside).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c"]) doors.get(name)?.resolve(name);
  expect(await Promise.all([a, c])).toEqual(["a", "c"]);
  expect(inside).toEqual(["a", "b", "c", "d"]);
  doors.get("d")?.resolve("d");
  await d;
});
