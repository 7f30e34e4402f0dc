// multipart/form-data, read as it arrives: what a part holds is handed on piece by piece, and never kept. Whoever has seen enough of a
// part stops reading it; the rest of it is passed over before the next one.

import { SluiceError } from "../../engine/index.ts";

export interface FormPart {
  readonly name: string;
  /** Of a file; as it was sent, and not to be trusted. */
  readonly filename: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface FormLimits {
  readonly parts: number;
  /** Of the whole body. */
  readonly bytes: number;
}

const HEADER_BYTES = 8_192;
const NOTHING = Buffer.alloc(0);
const END_OF_HEADERS = Buffer.from("\r\n\r\n");

export async function* formParts(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  limits: FormLimits,
): AsyncGenerator<FormPart> {
  const reader = new PartReader(body, boundaryOf(contentType), limits.bytes);
  await reader.skip();
  for (let parts = 0; await reader.hasNext(); parts += 1) {
    if (parts >= limits.parts) throw tooLarge(`a form may have ${limits.parts} parts here`);
    const { name, filename } = namesIn(await reader.headers());
    yield { name, filename, content: reader.pieces() };
    await reader.skip();
  }
}

class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  readonly #most: number;
  /** What stands in front of the first delimiter is over with it, as a part is. */
  #rest: Buffer = Buffer.from("\r\n");
  #bytes = 0;

  constructor(body: AsyncIterable<Uint8Array>, boundary: string, most: number) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#most = most;
  }

  #isInPart = true;

  /** The next piece of this part; null when it is over. */
  async #piece(): Promise<Buffer | null> {
    while (this.#isInPart) {
      const at = this.#rest.indexOf(this.#delimiter);
      if (at >= 0) {
        const piece = this.#rest.subarray(0, at);
        this.#rest = this.#rest.subarray(at + this.#delimiter.length);
        this.#isInPart = false;
        return piece;
      }
      // Its last bytes may be the beginning of a delimiter.
      const sure = this.#rest.length - (this.#delimiter.length - 1);
      if (sure > 0) {
        const piece = this.#rest.subarray(0, sure);
        this.#rest = this.#rest.subarray(sure);
        return piece;
      }
      await this.#more();
    }
    return null;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let piece = await this.#piece(); piece !== null; piece = await this.#piece())
      if (piece.length > 0) yield piece;
  }

  /** To the end of this part. */
  async skip(): Promise<void> {
    while ((await this.#piece()) !== null);
  }

  /** Behind a delimiter: another part, or the end. */
  async hasNext(): Promise<boolean> {
    while (this.#rest.length < 2) await this.#more();
    const next = this.#rest.subarray(0, 2).toString("latin1");
    if (next === "--") return false;
    if (next !== "\r\n") throw malformed();
    // Kept: a part without headers would end them at once.
    return true;
  }

  /** Their last line's end stays: before a delimiter it is the delimiter's, as a part may be empty. */
  async headers(): Promise<string> {
    for (;;) {
      const at = this.#rest.indexOf(END_OF_HEADERS);
      if (at >= 0) {
        const text = this.#rest.subarray(2, Math.max(2, at)).toString("utf8");
        this.#rest = this.#rest.subarray(at + 2);
        this.#isInPart = true;
        await this.#dropLine();
        return text;
      }
      if (this.#rest.length > HEADER_BYTES) throw malformed();
      await this.#more();
    }
  }

  async #dropLine(): Promise<void> {
    while (this.#rest.length < this.#delimiter.length && this.#delimiter.indexOf(this.#rest) === 0) await this.#more();
    if (this.#rest.indexOf(this.#delimiter) !== 0) this.#rest = this.#rest.subarray(2);
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw new SluiceError("INVALID_INPUT", "the form ended before it was whole", { field: "body" });
    this.#bytes += value.byteLength;
    if (this.#bytes > this.#most) throw tooLarge(`a form may have ${this.#most} bytes here`);
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  return boundary;
}

/** As browsers write them: in UTF-8, with quotes and line ends as percent signs; or as RFC 5987 does. */
function namesIn(headers: string): { readonly name: string; readonly filename: string | undefined } {
  const line = headers.split("\r\n").find((one) => /^content-disposition\s*:/i.test(one)) ?? "";
  const [, name] = /;\s*name="([^"]*)"/i.exec(line) ?? /;\s*name=([^\s;"]+)/i.exec(line) ?? [];
  if (name === undefined) throw malformed();
  const [, encoded] = /;\s*filename\*=utf-8''([^\s;]+)/i.exec(line) ?? [];
  const [, plain] = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(line) ?? /;\s*filename=([^\s;"]+)/i.exec(line) ?? [];
  const filename = encoded === undefined ? plain?.replaceAll("%22", '"') : decoded(encoded);
  return { name, filename };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a name is only shown
  }
}

const malformed = () =>
  new SluiceError("INVALID_INPUT", "the body is no multipart/form-data that can be read", { field: "body" });
const tooLarge = (why: string) => new SluiceError("TOO_LARGE", why, { field: "body" });

/** A small field, whole. */
export async function textOf(content: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  let all: Buffer = NOTHING;
  for await (const piece of content) {
    all = Buffer.concat([all, piece]);
    if (all.length > most) throw tooLarge(`a field may have ${most} bytes here`);
  }
  return all.toString("utf8");
}
