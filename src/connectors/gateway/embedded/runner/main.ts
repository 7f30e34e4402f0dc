// The process that does one conversion: it has little memory, little time, no network, and nothing to lose.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { DocumentWriter } from "./document-writer.ts";
import { Refused, type RunnerAnswer, type RunnerJob } from "./job.ts";

const FULL = new Set(["ENOSPC", "EDQUOT"]);

const job = JSON.parse(process.argv[2] ?? "") as RunnerJob; // written by the one who started us
const answer = await answerOf(job);
process.stdout.write(`${JSON.stringify(answer)}\n`);

async function answerOf({
  output,
  mapping,
  reader,
  version,
  mostBytes,
  mostPages,
  ...rest
}: RunnerJob): Promise<RunnerAnswer> {
  const file = openSync(output, "w", 0o600);
  try {
    const writer = new DocumentWriter({ file, mapping, reader: `${reader} ${version}`, mostBytes, mostPages });
    if (reader === "poppler") await (await import("./poppler.ts")).readWithPoppler(rest, writer);
    else await (await import("./pdfjs.ts")).readWithPdfjs(rest, writer);
    fsyncSync(file);
    return { pages: writer.pages };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal };
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && FULL.has(code)) return { refused: { code: "DISK_FULL", message: "the disk is full" } };
    // Where no more memory is given, what asks for it throws.
    if (error instanceof RangeError)
      return { refused: { code: "MEMORY_ERROR", message: "it takes more memory than a conversion may take" } };
    throw error;
  } finally {
    closeSync(file);
  }
}
