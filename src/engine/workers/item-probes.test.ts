import { expect, it } from "vitest";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { ItemProbes } from "./item-probes.ts";

const rows = [{ id: "1" }] as unknown as ClaimedRow[];
const claimProbe = async () => rows;

it("a probe is nobody's when its item was gone before its visit began", async () => {
  const probes = new ItemProbes({ claimProbe, begin: async () => 0 });
  const isLet = probes.ask("shop", () => undefined);
  await probes.serve();
  expect(await isLet).toBe(false);
});

it("a probe is nobody's when its visit could not begin", async () => {
  const begin = async () => {
    throw new Error("connection reset");
  };
  const probes = new ItemProbes({ claimProbe, begin });
  const isLet = probes.ask("shop", () => undefined);
  await expect(probes.serve()).rejects.toThrow("connection reset");
  expect(await isLet).toBe(false);
});
