// A form with one file, as it is sent: what stands before the file, the file, what stands behind it. Its length is known beforehand.

import { randomUUID } from "node:crypto";
import type { StreamedBody } from "../kit/index.ts";
import type { PdfSource } from "./pdf-source.ts";

export interface Form {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The name of the file's field. */
  readonly file: string;
  /** As its owner calls it. */
  readonly filename: string;
}

export function multipart(
  form: Form,
  source: PdfSource,
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `sluice-${randomUUID()}`;
  const fields = form.fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name="${quoted(form.file)}"; filename="${quoted(plainName(form.filename))}"`;
  const file = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/pdf\r\n\r\n`;
  const head = Buffer.from(fields.join("") + file);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      byteLength: head.byteLength + source.bytes + tail.byteLength,
      async *chunks() {
        yield head;
        yield* source.chunks();
        yield tail;
      },
    },
  };
}

/** As browsers do it: what would end the name or the line is escaped. */
function quoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

const LONGEST_NAME = 150;

/** No folders, no control characters, no marks that turn the direction of writing: others print it, or use it as a name. */
export function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "")
    .replace(/^\.+/, "")
    .trim();
  const short = [...plain].slice(0, LONGEST_NAME).join("");
  return short === "" ? "document.pdf" : short;
}
