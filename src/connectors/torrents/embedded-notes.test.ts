import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forgetAddress, processState, tokenFileIn, writeAddress } from "../kit/index.ts";
import { findTorrents } from "./embedded-notes.ts";

let folder: string;
let notes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-notes-"));
  notes = join(folder, ".sluice-torrents");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const self = { pid: process.pid, started: processState(process.pid)?.started ?? "" };

it("whoever looks into its folder finds where it is asked, while it runs", async () => {
  expect(await findTorrents(folder)).toBeUndefined();
  mkdirSync(notes);
  writeFileSync(tokenFileIn(notes), "secret\n");
  expect(await findTorrents(folder)).toBeUndefined();
  await writeAddress(notes, "http://127.0.0.1:7471/", self);
  expect(await findTorrents(folder)).toEqual({ url: "http://127.0.0.1:7471/", token: "secret", folder });
  await forgetAddress(notes);
  expect(await findTorrents(folder)).toBeUndefined();
});

it("of one that was killed nothing is told: somebody else may listen there by now", async () => {
  mkdirSync(notes);
  writeFileSync(tokenFileIn(notes), "secret\n");
  await writeAddress(notes, "http://127.0.0.1:7471/", { ...self, started: "before" });
  expect(await findTorrents(folder)).toBeUndefined();
  writeFileSync(join(notes, "address"), '{"url":"http://127.');
  expect(await findTorrents(folder)).toBeUndefined();
});
