import { expect, it } from "vitest";
import { formerLives } from "./worker-lives.ts";

const life = (id: number, name: string, state: "alive" | "late" | "left" | "dead") => ({
  id: `wrk_${id}`,
  name,
  state,
});

it("a life is a former one where it is over and another of its name came after it", () => {
  const [back, died, left] = [life(4, "attic", "alive"), life(3, "attic", "dead"), life(1, "attic", "left")];
  const gone = life(2, "cellar", "dead");
  expect([...formerLives([back, gone, died, left])]).toEqual([died, left]);
});

it("who lives is nobody's past, also where two have one name", () => {
  expect(formerLives([life(2, "attic", "alive"), life(1, "attic", "late")]).size).toBe(0);
});
