// What the shells themselves offer, with the scripts that `sluice completion` writes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";

let folder: string;
const script = (shell: string) => path.join(folder, `completion.${shell}`);
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-completion-"));
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(script(shell), (await runCli(["completion", shell])).stdout);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (shell: string, ...args: string[]) =>
  execFileSync(shell, args, {
    encoding: "utf8",
    timeout: 30_000,
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  })
    .split("\n")
    .filter((line) => line !== "");

/** Called as the shell calls it, which breaks words at colons that are not in quotes. */
const CALL = `COMP_LINE="$1"; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_sluice 2>/dev/null; printf '%s\n' "\${COMPREPLY[@]}"`;
const bash = (line: string, ...words: string[]) =>
  run("bash", "--norc", "-c", `. ${script("bash")}; ${CALL}`, "bash", line, ...words);
/** Typed on a terminal of its own, where the tabulator is pressed and then the line is run: zsh picks among offers only there. */
const zsh = (line: string) =>
  run(
    "zsh",
    ...["-f", "-c"],
    `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "source $1; sluice() { print -r -- \\"RA\\"\\"N:\\$*.\\" }"
zpty -w -n z "$2"$'\\t\\n'
zpty -r z heard $'*RAN:*.*'
print -r -- "\${\${heard##*RAN:}%%.*}"`,
    ...["zsh", script("zsh"), line],
  );
const fish = (line: string) =>
  run("fish", "--no-config", "-c", `source ${script("fish")}; complete -C '${line.replaceAll("'", "\\'")}'`).map(
    (offer) => offer.split("\t")[0],
  );

describe("bash", () => {
  it("knows commands, commands of commands and flags", () => {
    expect(bash("sluice oper", "sluice", "oper")).toEqual(["operation"]);
    expect(bash("sluice user pa", "sluice", "user", "pa")).toEqual(["password"]);
    expect(bash("sluice workers --al", "sluice", "workers", "--al")).toEqual(["--all"]);
  });

  it("knows what a filter goes by, and its values behind the colon", () => {
    expect(bash("sluice ls st", "sluice", "ls", "st")).toEqual(["state:", "stage:"]);
    expect(bash("sluice ls state:fa", "sluice", "ls", "state", ":", "fa")).toEqual(["failed"]);
    expect(bash("sluice watch state:failed,wa", "sluice", "watch", "state", ":", "failed,wa")).toEqual([
      "failed,waiting",
    ]);
    expect(bash("sluice ls error:", "sluice", "ls", "error", ":")).toEqual([]);
  });

  it("also in the quotes of --filter", () => {
    const line = "sluice retry --filter 'state:failed ag";
    expect(bash(line, "sluice", "retry", "--filter", "'state:failed ag")).toEqual(["state:failed age:"]);
    expect(bash("sluice retry --filter state:ru", "sluice", "retry", "--filter", "state", ":", "ru")).toEqual([
      "running",
    ]);
  });
});

it("zsh completes the same", () => {
  expect(zsh("sluice oper")).toEqual(["operation"]);
  expect(zsh("sluice workers --al")).toEqual(["workers --all"]);
  expect(zsh("sluice ls pip")).toEqual(["ls pipeline:"]);
  expect(zsh("sluice ls state:failed,wa")).toEqual(["ls state:failed,waiting"]);
});

it("fish offers commands, flags and terms", () => {
  expect(fish("sluice oper")).toEqual(["operation"]);
  expect(fish("sluice workers --al")).toEqual(["--all"]);
  expect(fish("sluice ls state:fa")).toEqual(["state:failed"]);
  expect(fish("sluice retry --filter state:ru")).toEqual(["state:running"]);
});
