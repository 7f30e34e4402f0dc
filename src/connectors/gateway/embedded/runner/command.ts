// How the process of a conversion is called, and what Node lets it do: read its own code, and start a program only where one reads the
// PDF. It opens no other file, and writes none: what it reads and writes is handed to it. No native code is loaded into it.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Reader, RunnerJob, RunnerTry } from "./job.ts";

export const NODE = process.execPath;

const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const MAIN = fileURLToPath(new URL(`./main${extension}`, import.meta.url));
/** Where its own code lies, which imports nothing from elsewhere but packages. */
const CODE = fileURLToPath(new URL("../../", import.meta.url));

export interface RunnerBounds {
  readonly memoryBytes: number;
  /** Whether Node keeps it to its own code. */
  readonly isConfined: boolean;
}

export function runnerCommand(job: RunnerJob | RunnerTry, { memoryBytes, isConfined }: RunnerBounds): string[] {
  const heap = `--max-old-space-size=${Math.floor(memoryBytes / 1024 / 1024)}`;
  const may = isConfined ? permissions(job.reader) : [];
  return [NODE, heap, "--disable-warning=ExperimentalWarning", ...may, MAIN, JSON.stringify(job)];
}

export function permissions(reader: Reader): string[] {
  const places = [CODE, ...manifestAbove(CODE), ...packagesOf(reader)];
  return [
    "--permission",
    ...places.map((place) => `--allow-fs-read=${place}`),
    // What it starts then is confined by itself.
    ...(reader === "poppler" ? ["--allow-child-process", "--disable-warning=SecurityWarning"] : []),
  ];
}

/** It says that our files are modules. */
function manifestAbove(folder: string): string[] {
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) {
    const manifest = path.join(at, "package.json");
    if (existsSync(manifest)) return [manifest];
  }
  return [];
}

function packagesOf(reader: Reader): string[] {
  const ours = createRequire(import.meta.url);
  const folderOf = (manifest: string) => path.join(path.dirname(manifest), path.sep);
  if (reader === "pdfjs") return [folderOf(ours.resolve("pdfjs-dist/package.json"))];
  const saxes = ours.resolve("saxes/package.json");
  return [folderOf(saxes), folderOf(createRequire(saxes).resolve("xmlchars/package.json"))];
}
