// What reads PDFs on this machine, and how it is confined.

import { createRequire } from "node:module";
import { z } from "zod";
import { unavailable } from "../../../engine/index.ts";
import { canRun, confine, startProcess, WITH_PARENT } from "../../kit/index.ts";
import type { GatewayLimits } from "./limits.ts";
import { NODE } from "./runner/command.ts";
import type { Reader } from "./runner/job.ts";

export interface ReaderFacts {
  readonly reader: Reader;
  readonly version: string;
  /** Before the process of a conversion. */
  readonly prefix: readonly string[];
  /** Before a program that it starts. */
  readonly tied: readonly string[];
  readonly hasNoNetwork: boolean;
  /** What this machine cannot keep a conversion to: without `prlimit` neither memory nor computing, without `unshare` not the network. */
  readonly notInForce: readonly NotInForce[];
}

export type NotInForce = "memory" | "cpu-time" | "network";

/** V8 sets aside so much for code, and counts it as taken. */
const SET_ASIDE_BYTES = 640 * 1024 * 1024;
const BY_PRLIMIT: readonly NotInForce[] = ["memory", "cpu-time"];
const TRY_MS = 20_000;
const Package = z.object({ version: z.string() });

/** Poppler where it is there: it takes a fraction of the time and the memory. */
export async function findReader(
  wanted: Reader | undefined,
  limits: Pick<GatewayLimits, "memoryBytes" | "cpuSeconds">,
  signal?: AbortSignal,
): Promise<ReaderFacts> {
  const poppler = wanted === "pdfjs" ? undefined : await popplerVersion(signal);
  if (wanted === "poppler" && poppler === undefined)
    throw unavailable("PROGRAM_MISSING", "pdftohtml and pdfinfo of poppler-utils are not on this machine");
  const { memoryBytes, cpuSeconds } = limits;
  // The second is for what does not hear the first.
  const cpu = [`--cpu=${cpuSeconds}:${cpuSeconds + 5}`, "--core=0"];
  const own = ["prlimit", `--data=${memoryBytes + SET_ASIDE_BYTES}`, ...cpu, "--"];
  const bounded = (await canRun([...own, NODE, "--version"], signal)) ? own : [];
  const { prefix, hasNoNetwork } = await confine([...bounded, NODE, "--version"], signal);
  const isTied = prefix.includes("setpriv");
  const memory = bounded.length === 0 ? [] : ["prlimit", `--data=${memoryBytes}`, "--"];
  return {
    ...{ reader: poppler === undefined ? "pdfjs" : "poppler", version: poppler ?? pdfjsVersion() },
    ...{ prefix: [...prefix, ...bounded], tied: [...(isTied ? WITH_PARENT : []), ...memory], hasNoNetwork },
    notInForce: [...(bounded.length === 0 ? BY_PRLIMIT : []), ...(hasNoNetwork ? [] : (["network"] as const))],
  };
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
