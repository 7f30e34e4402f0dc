// One conversion: a process of its own reads the PDF, and how it ended is told.

import { join } from "node:path";
import { z } from "zod";
import { type ProcessEnd, startProcess } from "../../kit/index.ts";
import { isGatewayCode } from "../codes.ts";
import type { Mapping } from "./format.ts";
import type { GatewayLimits } from "./limits.ts";
import type { ReaderFacts } from "./reader.ts";
import { NODE, runnerCommand } from "./runner/command.ts";
import { Refused, type RunnerJob } from "./runner/job.ts";
import { killed } from "./runner/killed.ts";

const Answer = z.union([
  z.object({ pages: z.number() }),
  z.object({ refused: z.object({ code: z.string().refine(isGatewayCode), message: z.string() }) }),
]);

export interface ConversionResult {
  readonly file: string;
  readonly pages: number;
}

/** The PDF is `in.pdf` in the folder. Throws `Refused`, or something else where it is nobody's fault that is known. */
export async function convertIn(
  folder: string,
  mapping: Mapping,
  {
    reader,
    limits,
    signal,
  }: { readonly reader: ReaderFacts; readonly limits: GatewayLimits; readonly signal: AbortSignal },
): Promise<ConversionResult> {
  const { mostPages, mostXmlBytes, wallMs, memoryBytes } = limits;
  const output = join(folder, "out.xml");
  const job: RunnerJob = {
    ...{ reader: reader.reader, version: reader.version, input: "in.pdf", output: "out.xml", mapping },
    ...{ mostBytes: mostXmlBytes, mostPages, tied: reader.tied },
  };
  const [program = NODE, ...args] = [...reader.prefix, ...runnerCommand(job, memoryBytes)];
  const child = await startProcess({
    program,
    args,
    cwd: folder,
    env: {},
    inherit: ["PATH"],
    wallMs,
    graceMs: 0,
    signal,
  });
  const end = await child.ended;
  signal.throwIfAborted();
  const answer = answerOf(end);
  if ("refused" in answer) throw new Refused(answer.refused.code, answer.refused.message);
  return { file: output, pages: answer.pages };
}

function answerOf(end: ProcessEnd): z.infer<typeof Answer> {
  if (end.fault?.code === "TIMEOUT") throw new Refused("GW_TIMEOUT", "its conversion took longer than it may");
  if (end.signal !== null) throw killed(end.signal);
  const { data } = Answer.safeParse(parsed(end.output));
  if (end.code === 0 && data !== undefined) return data;
  throw new Error(`a conversion left with ${end.code}: ${end.complaints.slice(-500)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
