// A test of an encoder: a file that it is to look for, and what it says it found.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoFault } from "../../../connectors/index.ts";
import type { Queryable } from "../../../engine/index.ts";
import { type Random, systemRandom } from "../../../kit/index.ts";
import { type BoardWord, type TrialReport, trialName } from "./conversation.ts";
import { askTrial, findEncoder } from "./encoders.sql.ts";

const fileOf = (folder: string, trial: string): string => join(folder, trialName(trial));

export const trialFor = (folder: string, trial: string): NonNullable<BoardWord["trial"]> => ({
  ...{ trial, path: fileOf(folder, trial), marker: trial },
});

async function layOut(folder: string, file: string, marker: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, marker);
  } catch (error) {
    throw errnoFault(error, "writing where films are put");
  }
}

export function encoderTrials(db: () => Promise<Queryable>, folder: string, random: Random = systemRandom) {
  return {
    async ask(name: string): Promise<string> {
      const trial = random.token().toString(16);
      await layOut(folder, fileOf(folder, trial), trial);
      await askTrial(await db(), name, trial);
      return trial;
    },
    async answer(name: string, trial: string): Promise<TrialReport | undefined> {
      const row = await findEncoder(await db(), name, 0);
      return row?.tried?.trial === trial ? row.tried : undefined;
    },
    over: async (trial: string) => rm(fileOf(folder, trial), { force: true }),
  };
}
