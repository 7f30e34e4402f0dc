// Loaded before everything else (`node --import`): takes one guard out of one source file as it is read. The files on disk
// stay as they are, so any number of runs with different guards missing can go on at once.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Plant {
  /** The whole path of the file. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly original: string;
}

const given = process.env.SLUICE_PLANT;
if (given !== undefined) {
  const plant = JSON.parse(given) as Plant;
  const target = pathToFileURL(plant.path).href;
  registerHooks({
    load(url, context, next) {
      if (url !== target) return next(url, context);
      const source = readFileSync(fileURLToPath(url), "utf8");
      if (source.slice(plant.start, plant.end) !== plant.original) throw new Error(`${plant.path} changed meanwhile`);
      const planted = source.slice(0, plant.start) + plant.replacement + source.slice(plant.end);
      return { format: "module-typescript", source: planted, shortCircuit: true };
    },
  });
}
