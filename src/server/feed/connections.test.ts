import { describe, expect, it } from "vitest";
import { silentLogger } from "../../kit/index.ts";
import type { Principal } from "../access/principal.ts";
import { Connections } from "./connections.ts";

const person = (user: string, role: Principal["role"] = "member"): Principal => ({
  user,
  role,
  via: "session",
  scopes: null,
});

function connections(known: ReadonlyMap<string, Principal | Error>, limits = { perAccount: 9, all: 9 }) {
  return new Connections({
    stillIn: async (_, token) => {
      const found = known.get(token);
      if (found instanceof Error) throw found;
      return found;
    },
    log: silentLogger,
    limits: { ...limits, recheckMs: 1_000_000 },
  });
}

const refused = expect.objectContaining({ code: "RATE_LIMITED" });

describe("live connections", () => {
  it("are limited for an account and in all, and a place that is left is free", () => {
    const all = connections(new Map(), { perAccount: 2, all: 3 });
    const leave = all.open(person("mia"), "a", () => {});
    all.open(person("mia"), "b", () => {});
    expect(() => all.open(person("mia"), "c", () => {})).toThrow(refused);
    all.open(person("mo"), "d", () => {});
    expect(() => all.open(person("vic"), "e", () => {})).toThrow(refused);
    leave();
    leave();
    all.open(person("vic"), "e", () => {});
    expect(all.size).toBe(3);
  });

  it("end when what they were opened with lets nobody in any more, or somebody with other rights", async () => {
    const known = new Map<string, Principal | Error>([
      ["same", person("mia")],
      ["less", person("mo", "viewer")],
      ["away", new Error("the database is away")],
    ]);
    const all = connections(known);
    const ended: string[] = [];
    for (const token of ["same", "less", "gone", "away"])
      all.open(person(token === "less" ? "mo" : "mia"), token, () => ended.push(token));
    await all.recheck();
    expect(ended).toEqual(["less", "gone"]);
  });
});
