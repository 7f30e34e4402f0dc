// Writes the document piece by piece, within its limits; a reader tells it what there is.

import { writeSync } from "node:fs";
import { element, startTag, XML_DECLARATION } from "../../xml-write.ts";
import {
  FORMAT_VERSION,
  type Mapping,
  type Metadata,
  NAMESPACE,
  type OutlineEntry,
  type PageFacts,
  type TextRun,
} from "../format.ts";
import { Refused } from "./job.ts";

export interface WriterOptions {
  /** An open file. */
  readonly file: number;
  readonly mapping: Mapping;
  /** What reads the PDF, with its version. */
  readonly reader: string;
  readonly mostBytes: number;
  readonly mostPages: number;
}

const FLUSH_BYTES = 256 * 1024;
const META = ["title", "author", "subject", "keywords", "creator", "producer", "created", "modified"] as const;

export class DocumentWriter {
  readonly #options: WriterOptions;
  readonly #fonts = new Map<string, number>();
  #pieces: string[] = [];
  #pending = 0;
  #bytes = 0;
  #pages = 0;
  #declared = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  get pages(): number {
    return this.#pages;
  }

  begin(pages: number, metadata: Metadata): void {
    if (pages > this.#options.mostPages) throw tooManyPages(this.#options.mostPages);
    this.#declared = pages;
    const { mapping, reader } = this.#options;
    this.#put(XML_DECLARATION);
    this.#put(
      `${startTag("document", { xmlns: NAMESPACE, version: FORMAT_VERSION, mapping, pages, reader })}\n<metadata>\n`,
    );
    for (const name of META) {
      const value = metadata[name];
      if (value !== undefined && value !== "") this.#put(`${element(name, {}, value)}\n`);
    }
    this.#put("</metadata>\n");
  }

  page({ number, width, height }: PageFacts): void {
    this.#pages += 1;
    if (this.#pages > this.#options.mostPages) throw tooManyPages(this.#options.mostPages);
    this.#put(`${startTag("page", this.#options.mapping === "text" ? { number } : { number, width, height })}\n`);
  }

  text({ left, top, width, height, font, text }: TextRun): void {
    if (text.trim() === "") return;
    const isPlain = this.#options.mapping === "text";
    this.#put(`${element("text", isPlain ? {} : { left, top, width, height, font: this.#font(font) }, text)}\n`);
  }

  endPage(): void {
    this.#put("</page>\n");
  }

  end(outline: readonly OutlineEntry[]): void {
    // A reader that leaves out what it cannot read says nothing of it. Half a document must not pass for a whole one.
    if (this.#pages !== this.#declared)
      throw new Refused("PARSE_ERROR", `only ${this.#pages} of its ${this.#declared} pages can be read: it is damaged`);
    if (outline.length > 0) {
      this.#put("<outline>\n");
      this.#entries(outline);
      this.#put("</outline>\n");
    }
    this.#put("</document>\n");
    this.#flush();
  }

  /** Told where it is first used: what came before may be on the disk already. */
  #font({ family, size }: TextRun["font"]): number {
    const whole = Math.max(0, Math.round(size));
    const key = `${whole} ${family}`;
    const known = this.#fonts.get(key);
    if (known !== undefined) return known;
    const id = this.#fonts.size;
    this.#fonts.set(key, id);
    this.#put(`${startTag("font", { id, family, size: whole }, true)}\n`);
    return id;
  }

  #entries(entries: readonly OutlineEntry[]): void {
    for (const { title, page, entries: below } of entries) {
      this.#put(`${startTag("entry", { title, page }, below.length === 0)}\n`);
      if (below.length === 0) continue;
      this.#entries(below);
      this.#put("</entry>\n");
    }
  }

  #put(text: string): void {
    this.#pieces.push(text);
    this.#pending += text.length;
    if (this.#pending >= FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pieces.join(""));
    this.#pieces = [];
    this.#pending = 0;
    this.#bytes += bytes.byteLength;
    const { mostBytes, file } = this.#options;
    if (this.#bytes > mostBytes) throw new Refused("TOO_COMPLEX", `its XML would be larger than ${mostBytes} bytes`);
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
  }
}

const tooManyPages = (most: number) => new Refused("TOO_COMPLEX", `it has more than ${most} pages`);
