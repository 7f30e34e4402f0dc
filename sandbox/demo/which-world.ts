// The world that is shown: the whole flagship, which needs ffmpeg, or a smaller one that needs nothing.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { providePackages } from "../../scripts/system-packages.ts";
import { SluiceError } from "../../src/engine/index.ts";
import type { WorldName } from "./options.ts";

const FFMPEG = { name: "ffmpeg", file: "/usr/bin/ffmpeg" };

/** Root has what is missing installed, once. */
export function whichWorld(asked: WorldName | undefined): WorldName {
  if (asked === "films") return asked;
  const isThere = ["ffmpeg", "ffprobe"].every(hasProgram);
  const { world, told } = worldFor(asked, isThere ? undefined : providePackages("The demo needs", [FFMPEG]));
  if (told !== undefined) console.log(told);
  return world;
}

/** Pure: whoever asked for no other world is shown the smaller one, and told what the whole one needs. */
export function worldFor(asked: "media" | undefined, problem: string | undefined): { world: WorldName; told?: string } {
  if (problem === undefined) return { world: "media" };
  if (asked === "media") throw new SluiceError("PROGRAM_MISSING", problem);
  return { world: "films", told: `${problem}\nWithout it there is a smaller world to see, --world films:` };
}

function hasProgram(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}
