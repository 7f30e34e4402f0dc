import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startProcess } from "../../kit/index.ts";
import { isRoot, NOBODY } from "./jail.ts";
import { GATEWAY_LIMITS } from "./limits.ts";
import { findReader } from "./reader.ts";
import { NODE, permissions } from "./runner/command.ts";

const { PATH } = process.env;
let home: string;
/** Everybody on this machine may read it; what reads a PDF must not. */
let secret: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sluice-reader-"));
  chmodSync(home, 0o755);
  for (const name of ["jail", "own"]) mkdirSync(join(home, name));
  secret = join(home, "secret");
  writeFileSync(secret, "nobody's business", { mode: 0o644 });
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(home, { recursive: true, force: true });
});

const find = () => findReader("pdfjs", GATEWAY_LIMITS, join(home, "jail"));

async function said(command: readonly string[]) {
  const [program = "", ...args] = command;
  const [read, written] = [openSync(secret, "r"), openSync(join(home, "own", "out.xml"), "w")];
  const child = await startProcess({ program, args, handed: [read, written], wallMs: 60_000, cwd: join(home, "own") });
  const { output, complaints } = await child.ended;
  closeSync(read);
  closeSync(written);
  return `${output}${complaints}`;
}

describe("what a machine cannot keep a conversion to", () => {
  it("is said where the programs for it are missing, and conversions go on without", async () => {
    process.env.PATH = "/nonexistent";
    const { notInForce, prefix, tied, hasNoNetwork, isConfined } = await find();
    // Node itself keeps the process to its files.
    expect(notInForce).toEqual(["memory", "cpu-time", "network"]);
    expect([prefix, tied, hasNoNetwork, isConfined]).toEqual([[], [], false, true]);
  });

  it("is at most the network where they are there", async () => {
    const { notInForce, prefix, hasNoNetwork } = await find();
    expect(notInForce).toEqual(hasNoNetwork ? [] : ["network"]);
    expect(prefix).toContain("prlimit");
    expect(prefix.includes(`--reuid=${NOBODY}`)).toBe(isRoot());
  });
});

describe("the process of a conversion", () => {
  const trying = (what: string) => `try { ${what}; console.log("done") } catch (error) { console.log(error.code) }`;

  it.each([
    ["reads no file of another", () => `fs.readFileSync(${JSON.stringify(secret)})`, "ERR_ACCESS_DENIED"],
    ["writes nowhere else", () => `fs.writeFileSync(${JSON.stringify(join(home, "left"))}, "x")`, "ERR_ACCESS_DENIED"],
    ["starts no program", () => `require("child_process").spawnSync("true")`, "ERR_ACCESS_DENIED"],
    ["starts no thread", () => `new (require("worker_threads").Worker)("1", { eval: true })`, "ERR_ACCESS_DENIED"],
    ["loads no native code", () => `process.dlopen({ exports: {} }, "/x.node")`, "ERR_DLOPEN_DISABLED"],
    ["lists no folder", () => `fs.readdirSync("/")`, "ERR_ACCESS_DENIED"],
    ["reads and writes what it is handed", () => `fs.writeSync(4, fs.readFileSync(3))`, "done"],
  ])("%s", async (_, what, expected) => {
    const flags = permissions("pdfjs");
    expect((await said([NODE, ...flags, "-e", trying(what())])).trim()).toBe(expected);
  });

  it("of which programs read may start those", async () => {
    const flags = permissions("poppler");
    const start = trying(`require("child_process").spawnSync("true")`);
    expect((await said([NODE, ...flags, "-e", start])).trim()).toBe("done");
  });
});
