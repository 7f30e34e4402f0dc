// One conversion: a process of its own reads the PDF, and how it ended is told.

import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type ProcessEnd, startProcess } from "../../kit/index.ts";
import { isGatewayCode } from "../codes.ts";
import type { Mapping } from "./format.ts";
import type { GatewayLimits } from "./limits.ts";
import type { ReaderFacts } from "./reader.ts";
import { NODE, runnerCommand } from "./runner/command.ts";
import { HANDED, Refused, type RunnerJob } from "./runner/job.ts";
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
  const job: RunnerJob = {
    ...{ reader: reader.reader, version: reader.version, mapping },
    ...{ mostBytes: mostXmlBytes, mostPages, tied: reader.tied },
  };
  const [program = NODE, ...args] = [...reader.prefix, ...runnerCommand(job, { memoryBytes, ...reader })];
  const file = join(folder, "out.xml");
  const files = await handOver(join(folder, "in.pdf"), file);
  try {
    const handed = files.map(({ fd }) => fd);
    const child = await startProcess({
      ...{ program, args, handed, cwd: folder, env: {}, inherit: ["PATH"], wallMs, graceMs: 0, signal },
    });
    const end = await child.ended;
    signal.throwIfAborted();
    const answer = answerOf(end);
    if ("refused" in answer) throw new Refused(answer.refused.code, answer.refused.message);
    // A disk that is full may say so only now. Node lets no process do this that it confines.
    await files[0]?.sync();
    return { file, pages: answer.pages };
  } finally {
    for (const one of files) await one.close();
  }
}

/** As `HANDED` has them. */
async function handOver(pdf: string, xml: string): Promise<FileHandle[]> {
  const opened: FileHandle[] = [];
  try {
    opened.push(await open(xml, "w", 0o600));
    for (const _ of [HANDED.pdf, HANDED.forInfo, HANDED.forText]) opened.push(await open(pdf, "r"));
    return opened;
  } catch (error) {
    for (const one of opened) await one.close();
    throw error;
  }
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
