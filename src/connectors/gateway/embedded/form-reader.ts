// A form with a file, as it comes over the line: its fields are kept, its file goes on piece by piece. Never more than a line is held.
//
//   --boundary CRLF headers CRLF CRLF content CRLF --boundary … CRLF --boundary--

export interface FormPart {
  readonly name: string;
  readonly isFile: boolean;
}

export interface FormEvents {
  /** Content of a part; for each at least once, also where it is empty. */
  readonly onContent: (part: FormPart, chunk: Buffer) => Promise<void> | void;
}

export class BadForm extends Error {}

const MOST_PARTS = 20;
const HEADER_BYTES = 4_096;

export class FormReader {
  readonly #onContent: FormEvents["onContent"];
  readonly #delimiter: Buffer;
  #state: "start" | "headers" | "content" | "after" | "over" = "start";
  /** What may be the beginning of something, and is not whole yet. */
  #rest: Buffer;
  #part: FormPart | undefined;
  #parts = 0;

  constructor(boundary: string, { onContent }: FormEvents) {
    this.#onContent = onContent;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    // The first one stands at the beginning, without a line before it.
    this.#rest = Buffer.from("\r\n");
  }

  async push(chunk: Buffer): Promise<void> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const found: (readonly [FormPart, Buffer])[] = [];
    // Each step takes something away, or waits for more.
    while (this.#step(found));
    for (const [part, content] of found) await this.#onContent(part, content);
  }

  end(): void {
    if (this.#state !== "over") throw new BadForm("the form is not whole");
  }

  #step(found: (readonly [FormPart, Buffer])[]): boolean {
    switch (this.#state) {
      case "start":
        return this.#skipTo();
      case "after":
        return this.#afterBoundary();
      case "headers":
        return this.#readHeaders();
      case "content":
        return this.#readContent(found);
      case "over":
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  #skipTo(): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    if (at > 2 || (at === -1 && this.#rest.length > HEADER_BYTES)) throw new BadForm("the form does not begin as one");
    if (at === -1) return false;
    this.#rest = this.#rest.subarray(at + this.#delimiter.length);
    this.#state = "after";
    return true;
  }

  #afterBoundary(): boolean {
    if (this.#rest.length < 2) return false;
    const next = this.#rest.toString("latin1", 0, 2);
    if (next !== "\r\n" && next !== "--") throw new BadForm("a boundary of the form is not followed by a line");
    this.#rest = this.#rest.subarray(2);
    this.#state = next === "--" ? "over" : "headers";
    return true;
  }

  #readHeaders(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end === -1 && this.#rest.length <= HEADER_BYTES) return false;
    if (end === -1 || end > HEADER_BYTES) throw new BadForm("a part of the form has too much said of it");
    this.#part = partOf(this.#rest.toString("utf8", 0, end));
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) throw new BadForm(`the form has more than ${MOST_PARTS} parts`);
    this.#rest = this.#rest.subarray(end + 4);
    this.#state = "content";
    return true;
  }

  #readContent(found: (readonly [FormPart, Buffer])[]): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    // The end of what has come may be the beginning of a boundary.
    const sure = at === -1 ? this.#rest.length - this.#delimiter.length + 1 : at;
    if (at === -1 && sure <= 0) return false;
    const content = this.#rest.subarray(0, sure);
    this.#rest = this.#rest.subarray(sure);
    if (this.#part !== undefined) found.push([this.#part, content]);
    if (at === -1) return false;
    this.#rest = this.#rest.subarray(this.#delimiter.length);
    this.#state = "after";
    return true;
  }
}

function partOf(headers: string): FormPart {
  const said = headers.split("\r\n").find((line) => /^content-disposition:/i.test(line)) ?? "";
  const name = /;\s*name="([^"]{1,100})"/i.exec(said)?.[1];
  if (name === undefined) throw new BadForm("a part of the form has no name");
  return { name, isFile: /;\s*filename\*?=/i.test(said) };
}

/** Undefined for what is no form. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? "")) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([\w'()+,./:=?-]{1,70}))/i.exec(contentType ?? "") ?? [];
  return quoted ?? plain;
}
