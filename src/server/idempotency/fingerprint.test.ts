import { describe, expect, it } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

const ann = { method: "POST", path: "/a", body: '{"name":"ann","password":"correct horse"}', salt: "ann/1" };
const plain = { ...ann, body: '{"name":"ann"}' };

describe("a fingerprint", () => {
  it("is the same for the same request, however a body without secrets is spaced", async () => {
    expect(await fingerprintOf(ann)).toBe(await fingerprintOf({ ...ann }));
    expect(await fingerprintOf({ ...plain, body: '{ "name": "ann" }' })).toBe(await fingerprintOf(plain));
  });

  it.each([
    ["another method", { method: "PUT" }],
    ["another query", { path: "/a?dryRun=false" }],
    ["another body", { body: '{"name":"bob","password":"correct horse"}' }],
    ["another secret", { body: '{"name":"ann","password":"battery staple"}' }],
    ["no JSON", { body: "no JSON" }],
    ["no body", { body: "" }],
  ])("is another for %s", async (_, change) => {
    expect(await fingerprintOf({ ...ann, ...change })).not.toBe(await fingerprintOf(ann));
  });

  it("with a secret in it is slow to guess, and another for everybody", async () => {
    const [fast, slow] = (await fingerprintOf(ann)).split(".");
    const [same, other] = (await fingerprintOf({ ...ann, salt: "bob/1" })).split(".");
    expect(fast).toBe(same);
    expect(slow).toMatch(/^[\w-]{43}$/);
    expect(slow).not.toBe(other);
    expect(await fingerprintOf(plain)).not.toContain(".");
  });
});
