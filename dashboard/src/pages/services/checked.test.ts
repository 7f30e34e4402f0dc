import { describe, expect, it } from "vitest";
import { cameOf, checkedNow, follow } from "./checked.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 12, 0, second)).toISOString();
const down = (until: number) => ({ state: "down", until: at(until) }) as const;
const ms = (second: number) => Date.parse(at(second));
const asked = checkedNow(down(50), ms(10));

describe("a check that was asked for", () => {
  it("goes on while its time was only brought forward", () => {
    expect(cameOf(follow(asked, down(10)), down(10), ms(11))).toBe("looking");
    const wasDue = checkedNow(down(5), ms(10));
    expect(cameOf(follow(wasDue, down(10)), down(10), ms(11))).toBe("looking");
  });

  it("found it down when the next one is put off again, also by less than before", () => {
    const seen = follow(follow(asked, down(10)), down(40));
    expect(cameOf(seen, down(40), ms(11))).toBe("down");
    expect(cameOf(follow(seen, down(40)), down(40), ms(59) + 60_000)).toBe("down");
  });

  it("found it down where nobody saw its time brought forward", () => {
    expect(cameOf(follow(asked, down(59)), down(59), ms(11))).toBe("down");
  });

  it("found it back as soon as it is not down", () => {
    const back = { state: "ramping", until: null } as const;
    expect(cameOf(follow(asked, back), back, ms(11))).toBe("back");
  });

  it("was made by nobody when nothing came of it in time", () => {
    expect(cameOf(asked, down(50), ms(10) + 60_000)).toBe("nobody");
  });
});
