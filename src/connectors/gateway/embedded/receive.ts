// What is sent to be converted: put on the disk as it comes, and refused as soon as that is clear.

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { GatewayCode } from "../codes.ts";
import { isPdf } from "../gateway-world.ts";
import { BadForm, boundaryOf, FormReader } from "./form-reader.ts";
import { isMapping, MAPPINGS, type Mapping } from "./format.ts";

export class NotTaken extends Error {
  readonly status: number;
  readonly code: GatewayCode;

  constructor(status: number, code: GatewayCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Received {
  readonly mapping: Mapping;
  readonly sha256: string;
}

const MAGIC_BYTES = 5;
const FIELD_BYTES = 200;
/** What stands around the file in its form. */
const FORM_BYTES = 64 * 1024;

/** A form with `file` and, if it is not the first that is meant, `mapping`; the file goes to `path`. */
export async function receive(request: IncomingMessage, path: string, mostBytes: number): Promise<Received> {
  const boundary = boundaryOf(request.headers["content-type"]);
  if (boundary === undefined) throw new NotTaken(400, "VALIDATION_ERROR", "a form with the field file is expected");
  if (Number(request.headers["content-length"]) > mostBytes + FORM_BYTES) throw tooLarge(mostBytes);
  const file = await open(path, "w", 0o600);
  const incoming = new Incoming(file, mostBytes);
  try {
    const form = new FormReader(boundary, {
      onContent: ({ name, isFile }, chunk) =>
        isFile && name === "file" ? incoming.file(chunk) : incoming.field(name, chunk),
    });
    // What is refused in the middle must not cut the line: the answer still has to go over it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) await form.push(chunk as Buffer); // no encoding is set
    form.end();
    return incoming.end();
  } catch (error) {
    throw error instanceof BadForm ? new NotTaken(400, "VALIDATION_ERROR", error.message) : error;
  } finally {
    await file.close();
  }
}

class Incoming {
  readonly #file: FileHandle;
  readonly #mostBytes: number;
  readonly #hash = createHash("sha256");
  #head = Buffer.alloc(0);
  #bytes = 0;
  #mapping: string | undefined;

  constructor(file: FileHandle, mostBytes: number) {
    this.#file = file;
    this.#mostBytes = mostBytes;
  }

  async file(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#mostBytes) throw tooLarge(this.#mostBytes);
    if (this.#head.length < MAGIC_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, MAGIC_BYTES)]);
      if (this.#head.length >= MAGIC_BYTES && !isPdf(this.#head)) throw noPdf();
    }
    this.#hash.update(chunk);
    await this.#file.appendFile(chunk);
  }

  field(name: string, chunk: Buffer): void {
    if (name !== "mapping") return;
    this.#mapping = ((this.#mapping ?? "") + chunk.toString("utf8")).slice(0, FIELD_BYTES);
  }

  end(): Received {
    const mapping = this.#mapping ?? MAPPINGS[0];
    if (!isMapping(mapping))
      throw new NotTaken(400, "INVALID_MAPPING", `there is no such mapping; there are ${MAPPINGS.join(" and ")}`);
    if (!isPdf(this.#head)) throw noPdf();
    return { mapping, sha256: this.#hash.digest("hex") };
  }
}

const noPdf = () => new NotTaken(415, "UNSUPPORTED_TYPE", "this is no PDF: it does not begin with %PDF-");
const tooLarge = (most: number) => new NotTaken(413, "INPUT_TOO_LARGE", `a PDF may have ${most} bytes`);
