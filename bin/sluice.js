#!/usr/bin/env node
// The command `sluice`. In the package it is the built one. In a clone it is the source, on the Node that the project brings, so that
// `npx sluice` works there after `npm install` alone; plain JavaScript, because the Node that reads this may be an older one.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const source = at("src/main/cli.ts");

if (existsSync(source)) runSource();
else await import("../dist/main/cli.js");

function runSource() {
  const own = [at("node_modules/node/bin/node"), at("node_modules/node/bin/node.exe")].find((path) => existsSync(path));
  const args = ["--conditions=sluice-source", source, ...process.argv.slice(2)];
  const child = spawn(own ?? process.execPath, args, { stdio: "inherit" });
  // Ctrl-C reaches both; how it ends is the child's to say.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`sluice: ${error.message}\n  → npm install brings what is missing\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
