import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Fault } from "../../engine/index.ts";
import { placeProof, proveHere } from "./place-proof.ts";

const here = mkdtempSync(join(tmpdir(), "sluice-place-"));
mkdirSync(join(here, "films"));
writeFileSync(join(here, "file"), "");
afterAll(() => rmSync(here, { recursive: true, force: true }));

it("what a client puts somewhere is found here, by its own path or by a mapping", async () => {
  expect(await placeProof({ folder: here, paths: [] })).toEqual({ ours: here });
  const paths = [{ theirs: "/downloads", ours: here }];
  expect(await placeProof({ folder: "/downloads/films", paths })).toEqual({ ours: join(here, "films") });
});

it.each([
  ["/elsewhere", "PATH_NOT_MAPPED", "it puts things to /elsewhere, and no path mapping says where that is here"],
  ["/downloads/series", "PLACE_NOT_FOUND", "is not there: mount or make it"],
  ["/downloads/file", "PLACE_NOT_FOUND", "is no folder"],
  ["/downloads/file/deeper", "PLACE_NOT_FOUND", "is not there"],
])("%s is not: %s", async (folder, code, words) => {
  const paths = [{ theirs: "/downloads", ours: here }];
  expect(await placeProof({ folder, paths })).toMatchObject({ code, why: expect.stringContaining(words) });
});

it("before it is used, that costs no attempt, and is no outage of the client", async () => {
  await proveHere("nas", { folder: here, paths: [] });
  const refused = await proveHere("nas", { folder: "/downloads", paths: [] }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Fault);
  expect(refused).toMatchObject({ kind: "unavailable", code: "PLACE_NOT_FOUND", breaker: "none" });
  expect(String(refused)).toContain("download client nas: here /downloads is not there");
});

it("says so where it may not be read", async () => {
  const shut = join(here, "shut");
  mkdirSync(shut);
  chmodSync(shut, 0);
  const proof = await placeProof({ folder: shut, paths: [] });
  // The superuser may read everything.
  if (process.getuid?.() === 0) expect(proof).toEqual({ ours: shut });
  else expect(proof).toMatchObject({ why: expect.stringContaining("may not be read by us") });
});
