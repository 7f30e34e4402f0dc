// Reads a PDF with poppler's programs. Their XML is not ours: it has a DOCTYPE, and it holds what XML must not.

import { spawn } from "node:child_process";
import { readSync } from "node:fs";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { OutlineEntry } from "../format.ts";
import type { DocumentWriter } from "./document-writer.ts";
import { HANDED, Refused, type RunnerJob } from "./job.ts";
import { killed } from "./killed.ts";
import { fontFamily, metadataOf } from "./metadata.ts";
import { OutlineBuilder } from "./outline.ts";

type Job = Pick<RunnerJob, "tied">;

/** The PDF comes as an open file: whoever reads it needs the right to no file of ours. */
const STDIN = "fd://0";
/** Of what is handed to it pdftohtml wants a name for its output, which goes elsewhere. */
const UNUSED = "unused";
const ENV = { PATH: process.env.PATH, LC_ALL: "C", HOME: "/nonexistent" };

export async function readWithPoppler(job: Job, writer: DocumentWriter): Promise<void> {
  const info = new Map<string, string>();
  let rest = "";
  const line = (text: string) => {
    const [, name = "", value = ""] = /^([A-Za-z ]{1,30}): +(.*)$/.exec(text) ?? [];
    // The last counts: a title may hold line breaks and say anything behind them, and what poppler counts itself comes after it.
    if (name !== "") info.set(name, value);
  };
  await run(job, HANDED.forInfo, ["pdfinfo", "-isodates", "-enc", "UTF-8", STDIN], (text) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, 65_536);
    lines.forEach(line);
  });
  line(rest);
  const pages = Number(info.get("Pages") ?? 0);
  if (!(pages > 0)) throw new Refused("NO_CONTENT", "it has no pages");
  writer.begin(
    pages,
    metadataOf((name) => info.get(name)),
  );
  const reading = new PopplerXml(writer);
  const args = ["-xml", "-i", "-stdout", "-zoom", "1", "-noroundcoord", "-fontfullname", "-nodrm", "-q", STDIN, UNUSED];
  await run(job, HANDED.forText, ["pdftohtml", ...args], (text) => reading.push(text));
  reading.end();
}

/** What poppler says of a document, told to the writer as it comes. */
class PopplerXml {
  readonly #parser = new SaxesParser();
  readonly #writer: DocumentWriter;
  readonly #fonts = new Map<string, { readonly family: string; readonly size: number }>();
  readonly #outline = new OutlineBuilder();
  /** The last entry at each depth of the outline. */
  readonly #levels: (OutlineEntry | undefined)[] = [];
  #text = "";
  #tag: SaxesTagPlain | undefined;

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
    // Its slips are its own: what is written is ours, and well-formed whatever was read.
    this.#parser.on("error", () => undefined);
    this.#parser.on("opentag", (tag) => this.#open(tag));
    this.#parser.on("closetag", (tag) => this.#close(tag.name));
    this.#parser.on("text", (text) => {
      if (this.#tag !== undefined) this.#text += text;
    });
  }

  push(text: string): void {
    this.#parser.write(text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD"));
  }

  end(): void {
    this.#parser.close();
    this.#writer.end(this.#outline.roots);
  }

  #open(tag: SaxesTagPlain): void {
    const { name, attributes } = tag;
    const number = (key: string) => Number(attributes[key] ?? 0);
    if (name === "page")
      this.#writer.page({ number: number("number"), width: number("width"), height: number("height") });
    else if (name === "fontspec")
      this.#fonts.set(attributes.id ?? "", { family: fontFamily(attributes.family ?? ""), size: number("size") });
    else if (name === "outline") this.#levels.push(undefined);
    else if (name === "text" || name === "item") {
      this.#tag = tag;
      this.#text = "";
    }
  }

  #close(name: string): void {
    if (name === "page") this.#writer.endPage();
    else if (name === "outline") this.#levels.pop();
    else if (name === "text" && this.#tag?.name === name) this.#run(this.#tag);
    else if (name === "item" && this.#tag?.name === name) this.#entry(this.#tag);
    if (name === this.#tag?.name) this.#tag = undefined;
  }

  #run({ attributes }: SaxesTagPlain): void {
    const number = (key: string) => Number(attributes[key] ?? 0);
    this.#writer.text({
      ...{ left: number("left"), top: number("top"), width: number("width"), height: number("height") },
      ...{ font: this.#fonts.get(attributes.font ?? "") ?? { family: "unknown", size: 0 }, text: this.#text },
    });
  }

  #entry({ attributes }: SaxesTagPlain): void {
    const depth = this.#levels.length - 1;
    const page = Number(attributes.page ?? 0);
    const above = depth <= 0 ? undefined : this.#levels[depth - 1];
    if (depth < 0 || (depth > 0 && above === undefined)) return;
    this.#levels[depth] = this.#outline.add(above, depth, this.#text, page > 0 ? page : undefined);
  }
}

/** Resolves when it has ended well. Its words are not looked at: they are for people, and change. */
async function run(
  { tied }: Job,
  pdf: number,
  command: readonly string[],
  onText: (text: string) => void,
): Promise<void> {
  const [program = "", ...args] = [...tied, ...command];
  const child = spawn(program, args, {
    stdio: [pdf, "pipe", "ignore"],
    env: ENV,
  });
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve([code, signal]));
  });
  ended.catch(() => undefined);
  try {
    for await (const text of child.stdout?.setEncoding("utf8") ?? []) onText(String(text));
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const [code, signal] = await ended;
  if (signal !== null) throw killed(signal);
  if (code === 0) return;
  // What stands before the program leaves with codes of its own: where nothing can be read that way, this PDF is not to blame.
  if (!(await canStart(tied))) throw new Error(`what reads PDFs cannot be started: it ended with ${code}`);
  throw isEncrypted(HANDED.pdf)
    ? new Refused("PASSWORD_PROTECTED", "it cannot be opened without a password")
    : new Refused("PARSE_ERROR", "it cannot be read as a PDF: it is damaged");
}

async function canStart(tied: readonly string[]): Promise<boolean> {
  const [program = "", ...args] = [...tied, "pdfinfo", "-v"];
  const child = spawn(program, args, { stdio: "ignore", env: ENV });
  return await new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

const WORD = Buffer.from("/Encrypt");

/** Whoever cannot open it leaves with the same code for both. The word stands in the trailer, which is never packed itself. */
function isEncrypted(file: number): boolean {
  const piece = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0, kept = 0; ; ) {
    const read = readSync(file, piece, kept, piece.length - kept, at);
    if (read === 0) return false;
    const found = piece.subarray(0, kept + read);
    if (found.includes(WORD)) return true;
    at += read;
    kept = Math.min(WORD.length, found.length);
    found.copy(piece, 0, found.length - kept);
  }
}
