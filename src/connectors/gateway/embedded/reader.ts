// What reads PDFs on this machine, and how it is confined.

import { createRequire } from "node:module";
import { z } from "zod";
import { BugError, unavailable } from "../../../engine/index.ts";
import { canRun, confine, startProcess, WITH_PARENT } from "../../kit/index.ts";
import { AS_NOBODY, findJail, isRoot } from "./jail.ts";
import type { GatewayLimits } from "./limits.ts";
import { NODE, runnerCommand } from "./runner/command.ts";
import type { Reader } from "./runner/job.ts";

export interface ReaderFacts {
  readonly reader: Reader;
  readonly version: string;
  /** Before the process of a conversion. */
  readonly prefix: readonly string[];
  /** Before a program that it starts. */
  readonly tied: readonly string[];
  readonly hasNoNetwork: boolean;
  /** Whether Node keeps the process to its own code. */
  readonly isConfined: boolean;
  /** What this machine cannot keep a conversion to. */
  readonly notInForce: readonly NotInForce[];
}

/** By `prlimit` the first two, by `unshare` the network. `files`: what reads the PDF could read what others of its user may. */
export type NotInForce = "memory" | "cpu-time" | "network" | "files";

/** V8 sets aside so much for code, and counts it as taken. */
const SET_ASIDE_BYTES = 640 * 1024 * 1024;
const BY_PRLIMIT: readonly NotInForce[] = ["memory", "cpu-time"];
const TRY_MS = 20_000;
const Package = z.object({ version: z.string() });

type Limits = Pick<GatewayLimits, "memoryBytes" | "cpuSeconds">;

/** Poppler where it is there: it takes a fraction of the time and the memory. `jail` is an empty folder. */
export async function findReader(
  wanted: Reader | undefined,
  limits: Limits,
  jail: string,
  signal?: AbortSignal,
): Promise<ReaderFacts> {
  const poppler = wanted === "pdfjs" ? undefined : await popplerVersion(signal);
  if (wanted === "poppler" && poppler === undefined)
    throw unavailable("PROGRAM_MISSING", "pdftohtml and pdfinfo of poppler-utils are not on this machine");
  const reader = poppler === undefined ? "pdfjs" : "poppler";
  const runner = await findProcess(reader, limits, signal);
  const { before, bounded, hasNoNetwork } = runner;
  const programs = reader === "poppler" ? await findPrograms(limits, jail, runner, signal) : undefined;
  const hidesFiles = runner.isConfined && (programs?.hidesFiles ?? true);
  return {
    ...{ reader, version: poppler ?? pdfjsVersion(), hasNoNetwork },
    ...{ prefix: before, tied: programs?.tied ?? [] },
    isConfined: runner.isConfined,
    notInForce: [
      ...(bounded ? [] : BY_PRLIMIT),
      ...(hasNoNetwork ? [] : (["network"] as const)),
      ...(hidesFiles ? [] : (["files"] as const)),
    ],
  };
}

/** The process of a conversion: as little as it can do with and still read its own code. */
async function findProcess(reader: Reader, limits: Limits, signal: AbortSignal | undefined) {
  const { memoryBytes, cpuSeconds } = limits;
  // The second is for what does not hear the first.
  const cpu = [`--cpu=${cpuSeconds}:${cpuSeconds + 5}`, "--core=0"];
  const own = ["prlimit", `--data=${memoryBytes + SET_ASIDE_BYTES}`, ...cpu, "--"];
  const bounds = (await canRun([...own, NODE, "--version"], signal)) ? own : [];
  // What starts programs has to be able to confine them.
  const asNobody = isRoot() && reader === "pdfjs" ? [...AS_NOBODY, ...WITH_PARENT] : [];
  for (const [user, isConfined] of [
    [asNobody, true],
    [[], true],
    [[], false],
  ] as const) {
    const trying = runnerCommand({ isTry: true, reader }, { memoryBytes, isConfined });
    if (isConfined && !(await canRun([...user, ...bounds, ...trying], signal))) continue;
    const { prefix, hasNoNetwork } = await confine([...user, ...bounds, NODE, "--version"], signal);
    return { before: [...prefix, ...user, ...bounds], bounded: bounds.length > 0, hasNoNetwork, isConfined };
  }
  throw new BugError("the last way is always taken");
}

/** Poppler's programs, which are the ones that read the PDF then. They write no file, so they may not. */
async function findPrograms(
  { memoryBytes }: Limits,
  jail: string,
  { before, bounded }: { readonly before: readonly string[]; readonly bounded: boolean },
  signal: AbortSignal | undefined,
) {
  const end = before.includes("setpriv") ? WITH_PARENT : [];
  const memory = bounded ? ["prlimit", `--data=${memoryBytes}`, "--fsize=0", "--nofile=64", "--"] : [];
  const command = [...end, ...memory, "pdftohtml", "-v"];
  const { prefix, hidesFiles } = await findJail(jail, { before, command }, signal);
  return { tied: [...prefix, ...end, ...memory], hidesFiles };
}

function pdfjsVersion(): string {
  return Package.parse(createRequire(import.meta.url)("pdfjs-dist/package.json")).version;
}

/** Undefined where one of both is missing. It says its version where others complain. */
async function popplerVersion(signal: AbortSignal | undefined): Promise<string | undefined> {
  if (!(await canRun(["pdfinfo", "-v"], signal)) || !(await canRun(["pdftohtml", "-v"], signal))) return undefined;
  const child = await startProcess({ program: "pdftohtml", args: ["-v"], wallMs: TRY_MS, signal });
  const { output, complaints } = await child.ended;
  return / version (\d[\w.]*)/.exec(`${complaints} ${output}`)?.[1] ?? "unknown";
}
