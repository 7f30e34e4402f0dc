// Writes a PDF byte by byte: what is put in is what is there, also where no library would write it.

export type Ref = number;
type Body = string | Uint8Array;

export const ref = (of: Ref): string => `${of} 0 R`;

/** A text in a PDF: of Latin letters as they are, of others in UTF-16. */
export function pdfString(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text);
  if (isPlain) return `(${text.replaceAll(/[\\()]/g, (found) => `\\${found}`)})`;
  return `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()}>`;
}

/** Turns the bytes of an object's texts and streams into others. */
export type Encrypt = (object: Ref, bytes: Buffer) => Buffer;

export class PdfWriter {
  readonly #bodies: (Buffer | undefined)[] = [];
  readonly #encrypt: Encrypt | undefined;

  constructor(encrypt?: Encrypt) {
    this.#encrypt = encrypt;
  }

  /** A place for something that others have to name before it is known. */
  reserve(): Ref {
    return this.#bodies.push(undefined);
  }

  set(at: Ref, body: Body): Ref {
    this.#bodies[at - 1] = Buffer.from(body);
    return at;
  }

  add(body: Body): Ref {
    return this.set(this.reserve(), body);
  }

  stream(data: Uint8Array, entries = ""): Ref {
    const at = this.reserve();
    const bytes = this.#encrypt?.(at, Buffer.from(data)) ?? data;
    const head = `<< /Length ${bytes.byteLength} ${entries} >>\nstream\n`;
    return this.set(at, Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream")]));
  }

  /** `trailer` is what stands there besides: /Root, /Info, /Encrypt. */
  bytes(trailer: string): Buffer {
    const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "latin1")];
    let at = pieces[0]?.length ?? 0;
    const put = (piece: Buffer) => {
      pieces.push(piece);
      at += piece.length;
    };
    const offsets = this.#bodies.map((body, index) => {
      const offset = at;
      put(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body ?? Buffer.from("null"), Buffer.from("\nendobj\n")]));
      return offset;
    });
    const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
    const size = this.#bodies.length + 1;
    const start = at;
    put(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} ${trailer} >>\n`));
    put(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    return Buffer.concat(pieces);
  }
}
