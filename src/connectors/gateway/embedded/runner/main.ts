// The process that does one conversion: it has little memory, little time, no network, and nothing to lose.

import { DocumentWriter } from "./document-writer.ts";
import { HANDED, type Reader, Refused, type RunnerAnswer, type RunnerJob, type RunnerTry } from "./job.ts";

const FULL = new Set(["ENOSPC", "EDQUOT"]);

const job = JSON.parse(process.argv[2] ?? "") as RunnerJob | RunnerTry; // written by the one who started us
if ("isTry" in job) await readerOf(job.reader);
else process.stdout.write(`${JSON.stringify(await answerOf(job))}\n`);

async function readerOf(reader: Reader) {
  if (reader === "poppler") return (await import("./poppler.ts")).readWithPoppler;
  return (await import("./pdfjs.ts")).readWithPdfjs;
}

async function answerOf({ mapping, reader, version, mostBytes, mostPages, ...rest }: RunnerJob): Promise<RunnerAnswer> {
  try {
    const writer = new DocumentWriter({
      file: HANDED.xml,
      mapping,
      reader: `${reader} ${version}`,
      mostBytes,
      mostPages,
    });
    await (await readerOf(reader))(rest, writer);
    return { pages: writer.pages };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal };
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && FULL.has(code)) return { refused: { code: "DISK_FULL", message: "the disk is full" } };
    // Where no more memory is given, what asks for it throws.
    if (error instanceof RangeError)
      return { refused: { code: "MEMORY_ERROR", message: "it takes more memory than a conversion may take" } };
    throw error;
  }
}
