// Commands that start something.

import type { Call } from "../commands/call.ts";
import { makeSay } from "../say.ts";
import type { CommandSpec } from "./spec.ts";

const start =
  (part: "up" | "server" | "worker") =>
  async ({ args, options, out }: Call) => {
    await (await import("../commands/start.ts")).startCommand(part, args[0], options, makeSay(out));
    return undefined;
  };

export const STARTING: readonly CommandSpec[] = [
  {
    name: "up",
    args: "[module]",
    about: "server, worker and, without DATABASE_URL, a database",
    group: "Start",
    examples: [
      "sluice up",
      "sluice up --apps media",
      "sluice up --apps documents",
      "sluice up pipelines.ts --port 8080",
    ],
    hasSettings: true,
    via: "itself",
    run: start("up"),
  },
  {
    name: "server",
    args: "[module]",
    about: "the HTTP side alone, on a database that workers share",
    group: "Start",
    examples: ["DATABASE_URL=postgres://… sluice server"],
    hasSettings: true,
    via: "itself",
    run: start("server"),
  },
  {
    name: "worker",
    args: "[module]",
    about: "works on a module's pipelines or on --apps alone",
    group: "Start",
    examples: [
      "DATABASE_URL=postgres://… sluice worker pipelines.ts",
      "sluice worker pipelines.ts --stages encode --name enc-02",
    ],
    hasSettings: true,
    via: "itself",
    run: start("worker"),
  },
  {
    name: "torrents",
    about: "the embedded download client, in a process of its own",
    group: "Start",
    examples: ["sluice torrents --folder downloads", "sluice torrents --folder downloads --peer-host 0.0.0.0 --public"],
    options: [
      ["--folder <folder>", "where to; everything it writes is below it"],
      ["--port <number>", "where it is asked, on this machine alone; 7471 unless it is said, 0 takes any"],
      ["--peer-host <address>", "where peers may reach it; 127.0.0.1 unless it is said, so that none can"],
      ["--peer-port <number>", "with that; any free one unless it is said"],
      ["--public", "peers may name each other; else only trackers are asked"],
      ["--lan", "also calls peers and trackers in networks of one's own"],
      ["--download-limit <KiB/s>", "all torrents together; 0 is without a limit"],
      ["--upload-limit <KiB/s>", "likewise"],
      ["--connections <number>", "at once; 200 unless it is said"],
      ["--at-a-time <torrents>", "unfinished ones that run, the others wait; 10 unless it is said"],
      ["--seed-ratio <ratio>", "a finished one gives back so many times its size; 1 unless it is said"],
      ["--seed-time <time>", "or for so long, whichever comes first; 24h unless it is said"],
      ["--log-level <level>", "info, warn, error or silent"],
    ],
    via: "itself",
    run: async (call) => (await import("../commands/torrents.ts")).torrents(call),
  },
  {
    name: "encoder",
    about: "encodes on this machine for a server elsewhere",
    group: "Start",
    examples: [
      "sluice encoder --server http://nas:7470 --token slk_…",
      "SLUICE_URL=http://nas:7470 SLUICE_API_KEY=slk_… sluice encoder --slots 2",
    ],
    options: [
      ["--server <address>", "whose films (SLUICE_URL)"],
      [
        "--token <key>",
        "a key with the scope encode (SLUICE_API_KEY): sluice key create enc --for ann --scopes encode",
      ],
      ["--name <name>", "what it is called there; unset: this machine's name"],
      ["--slots <films>", "at a time; 5 unless it is said"],
      ["--work <folder>", "for what it needs meanwhile; ./sluice-encoder unless it is said"],
      ["--ffmpeg <path>", "the program; that of the PATH unless it is said"],
      ["--ffprobe <path>", "likewise"],
      ["--threads <number>", "of each ffmpeg; its own choice unless it is said"],
      ["--log-level <level>", "info, warn, error or silent"],
    ],
    via: "itself",
    run: async (call) => (await import("../commands/encoder.ts")).encoder(call),
  },
  {
    name: "gateway",
    about: "PDF to XML, in a process of its own",
    group: "Start",
    examples: ["sluice gateway --folder gateway", "sluice gateway --folder gateway --at-once 4 --memory 1024"],
    options: [
      ["--folder <folder>", "where it notes its address and its token, and works"],
      ["--host <address>", "where it listens; 127.0.0.1 unless it is said"],
      ["--port <number>", "with that; 7473 unless it is said, 0 takes any"],
      ["--reader <reader>", "poppler or pdfjs; poppler where it is there, unless it is said"],
      ["--at-once <number>", "conversions at one time; 2 unless it is said"],
      ["--max-pdf <MiB>", "of a PDF; 100 unless it is said"],
      ["--max-xml <MiB>", "of its XML; 256 unless it is said"],
      ["--max-pages <number>", "of a PDF; 10000 unless it is said"],
      ["--memory <MiB>", "of whatever reads a PDF; 512 unless it is said"],
      ["--cpu-time <time>", "of computing for a PDF; 100s unless it is said"],
      ["--time <time>", "for a PDF, by the clock; 150s unless it is said"],
      ["--log-level <level>", "info, warn, error or silent"],
    ],
    via: "itself",
    run: async (call) => (await import("../commands/gateway.ts")).gateway(call),
  },
];
