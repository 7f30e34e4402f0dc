// Whether what comes is one well-formed XML document, judged while it comes. Nothing of it is kept.
//
// No DOCTYPE: with one come entities, and with those a few lines become gigabytes or somebody's files. UTF-8 alone: it is what every
// gateway sends, and a result in another encoding would be read as another text by whoever believes its declaration.

import { SaxesParser } from "saxes";

export type XmlProblemKind = "web-page" | "bad" | "truncated";

export class XmlProblem extends Error {
  readonly kind: XmlProblemKind;

  constructor(kind: XmlProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Deeper than any document is; what nests deeper is made to exhaust whoever reads it. */
const DEEPEST = 200;
const HEAD_CHARACTERS = 1_024;
const WEB_PAGE = /^\s*(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)\b/i;

export class XmlCheck {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #parser = new SaxesParser();
  #head = "";
  #depth = 0;
  #problem: XmlProblem | undefined;

  constructor() {
    const parser = this.#parser;
    parser.on("error", ({ message }) => this.#refuse("bad", message));
    parser.on("doctype", () => this.#refuse("bad", "it has a DOCTYPE"));
    parser.on("xmldecl", ({ encoding }) => {
      if (encoding !== undefined && encoding.toLowerCase() !== "utf-8")
        this.#refuse("bad", `it is in ${encoding.slice(0, 40)}`);
    });
    parser.on("opentag", () => {
      this.#depth += 1;
      if (this.#depth > DEEPEST) this.#refuse("bad", `it nests deeper than ${DEEPEST} elements`);
    });
    parser.on("closetag", () => {
      this.#depth -= 1;
    });
  }

  push(chunk: Uint8Array): void {
    this.#feed(this.#decode(chunk));
  }

  /** Throws where the document is not over. */
  end(): void {
    this.#feed(this.#decode());
    if (this.#head.trim() === "") throw new XmlProblem("bad", "it is empty");
    // The parser is asked last: what it misses at the end is the end.
    this.#parser.on("error", ({ message }) => this.#refuse("truncated", message));
    this.#parser.close();
    if (this.#problem !== undefined) throw this.#problem;
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw new XmlProblem(chunk === undefined ? "truncated" : "bad", "it is not UTF-8");
    }
  }

  #feed(text: string): void {
    if (text === "") return;
    if (this.#head.length < HEAD_CHARACTERS) this.#head += text.slice(0, HEAD_CHARACTERS);
    this.#parser.write(text);
    if (this.#problem === undefined) return;
    if (WEB_PAGE.test(this.#head)) throw new XmlProblem("web-page", "it is a web page");
    throw this.#problem;
  }

  /** The first is told; the parser goes on to the end of its piece. */
  #refuse(kind: XmlProblemKind, message: string): void {
    this.#problem ??= new XmlProblem(kind, message.slice(0, 200));
  }
}
