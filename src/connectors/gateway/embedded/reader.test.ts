import { afterEach, describe, expect, it } from "vitest";
import { GATEWAY_LIMITS } from "./limits.ts";
import { findReader } from "./reader.ts";

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

describe("what a machine cannot keep a conversion to", () => {
  it("is said where the programs for it are missing, and conversions go on without", async () => {
    process.env.PATH = "/nonexistent";
    const { notInForce, prefix, tied, hasNoNetwork } = await findReader("pdfjs", GATEWAY_LIMITS);
    expect(notInForce).toEqual(["memory", "cpu-time", "network"]);
    expect([prefix, tied, hasNoNetwork]).toEqual([[], [], false]);
  });

  it("is at most the network where they are there", async () => {
    const { notInForce, prefix, hasNoNetwork } = await findReader("pdfjs", GATEWAY_LIMITS);
    expect(notInForce).toEqual(hasNoNetwork ? [] : ["network"]);
    expect(prefix).toContain("prlimit");
  });
});
