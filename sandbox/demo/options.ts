// What was typed after `npm run demo --`. Pure.

import { parseArgs } from "node:util";
import { InputError } from "../../src/engine/index.ts";

export interface DemoOptions {
  readonly isHelp: boolean;
  readonly isOnce: boolean;
  /** Undefined: the usual one, or the next that is free. */
  readonly port: number | undefined;
  /** Undefined: one of its own, taken away at the end. */
  readonly folder: string | undefined;
  /** Undefined: as many as usual. */
  readonly items: number | undefined;
  /** Undefined: the whole one, where it can be had. */
  readonly world: WorldName | undefined;
}

export const WORLDS = ["media", "films"] as const;
export type WorldName = (typeof WORLDS)[number];

export const USUAL_PORT = 7470;

export const HELP = `Sluice demo: a small world on this machine, with films on their way through it.

  npm run demo                   a server with its dashboard, and all that it needs in
                                 processes of their own: films and a season are searched
                                 for, downloaded over BitTorrent, encoded by ffmpeg and
                                 delivered to three SFTP servers, and PDFs are converted
                                 to XML, until Ctrl-C
  npm run demo -- --once         without a browser: two films and a season to their end,
                                 with the download client, the worker and an encoder killed
                                 and a line cut on the way, and six PDFs; ends with 0 when
                                 every file is at every server, and is what was asked for,
                                 and of every PDF came what has to

  --world <world>                media: that, unless it is said; needs ffmpeg and ffprobe,
                                 which root has installed by it. films: a smaller one,
                                 through stages of the demo's own and five small services;
                                 also where there is no ffmpeg
  --items <count>                with --once: how many films, 1 to 20
  --port <port>                  where the server listens; ${USUAL_PORT} or the next free one
  --folder <folder>              keep everything there; else in a temporary folder that is
                                 taken away at the end
  --help                         this

Everything listens on this machine alone. More: docs/sandbox.md
`;

export function demoOptions(argv: readonly string[]): DemoOptions {
  const { values } = read(argv);
  return {
    isHelp: values.help ?? false,
    isOnce: values.once ?? false,
    port: values.port === undefined ? undefined : whole("port", values.port, 0, 65_535),
    folder: values.folder,
    items: values.items === undefined ? undefined : whole("items", values.items, 1, 20),
    world: values.world === undefined ? undefined : worldOf(values.world),
  };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      options: {
        help: { type: "boolean", short: "h" },
        once: { type: "boolean" },
        items: { type: "string" },
        world: { type: "string" },
        port: { type: "string" },
        folder: { type: "string" },
      },
    });
  } catch (error) {
    throw new InputError("arguments", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new InputError(name, `--${name} is a whole number from ${least} to ${most}, got ${JSON.stringify(text)}`);
}

function worldOf(name: string): WorldName {
  const found = WORLDS.find((one) => one === name);
  if (found !== undefined) return found;
  throw new InputError("world", `--world is ${WORLDS.join(" or ")}, got ${JSON.stringify(name)}`);
}
