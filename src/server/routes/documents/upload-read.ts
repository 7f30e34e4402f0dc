// What an upload sends, read as it comes: files of a form, or addresses that are fetched.

import type { Context } from "hono";
import { arrive, type DocumentsApp, fetchAll, type Sent } from "../../../apps/documents/index.ts";
import { InputError, type Sluice, SluiceError } from "../../../engine/index.ts";
import { mappingName, uploadUrls } from "../../contract/documents/upload.ts";
import type { Env } from "../../http/env.ts";
import { formParts, textOf } from "../../http/multipart.ts";

const FIELD_BYTES = 1_000;
/** Beside files. */
const FIELDS = 10;
const JSON_BYTES = 100_000;

/** Whatever its kind: each file taken in or turned away, and what is to be made of them. */
export async function receiveAll(c: Context<Env>, sluice: Sluice, app: DocumentsApp) {
  const type = c.req.header("content-type") ?? "";
  const isDry = c.get("isDry");
  const ports = { ...app, tables: sluice.tables };
  if (/^multipart\/form-data\b/i.test(type)) {
    const form = new Form(c, type, app);
    return { arrived: await arrive(ports, form.files(), isDry), mapping: form.mapping };
  }
  if (!/^application\/json\b/i.test(type))
    throw new InputError("content-type", "send multipart/form-data with files, or application/json with urls");
  const { urls, mapping } = await urlsIn(c);
  const { clock, fetching } = app;
  return { arrived: await fetchAll(ports, urls, { clock, fetching, signal: c.req.raw.signal, isDry }), mapping };
}

class Form {
  mapping: string | undefined;
  readonly #parts: ReturnType<typeof formParts>;
  readonly #files: number;
  readonly #bytes: number;

  constructor({ req }: Context<Env>, type: string, { limits }: DocumentsApp) {
    const { body } = req.raw;
    // No file has more than all of it, where that is told.
    const told = Number(req.header("content-length") ?? Number.NaN);
    this.#bytes = Number.isSafeInteger(told) && told >= 0 ? told : Number.POSITIVE_INFINITY;
    if (body === null) throw new InputError("body", "there is no file in it");
    const bytes = limits.files * limits.fileBytes + JSON_BYTES;
    this.#files = limits.files;
    this.#parts = formParts(body, type, { parts: limits.files + FIELDS, bytes });
  }

  async *files(): AsyncGenerator<Sent> {
    let files = 0;
    for await (const { name, filename, content } of this.#parts) {
      if (filename !== undefined) {
        files += 1;
        if (files > this.#files)
          throw new SluiceError("TOO_LARGE", `at most ${this.#files} files may be uploaded at once`, { field: "file" });
        yield { name: filename, content, mostBytes: this.#bytes };
      } else if (name === "mapping") this.mapping = mappingIn(await textOf(content, FIELD_BYTES));
      else
        throw new InputError(
          name.slice(0, 60),
          `there is no field ${JSON.stringify(name.slice(0, 60))}; files need a name`,
        );
    }
  }
}

function mappingIn(text: string): string | undefined {
  if (text === "") return undefined;
  const read = mappingName.safeParse(text);
  if (!read.success) throw new InputError("mapping", `mapping: ${read.error.issues[0]?.message ?? "not a name"}`);
  return read.data;
}

async function urlsIn(c: Context<Env>) {
  const text = await textOf(c.req.raw.body ?? nothing(), JSON_BYTES);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InputError("body", "the body is no JSON", { cause: error });
  }
  const read = uploadUrls.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InputError(
    issue?.path.join(".") || "body",
    `${issue?.path.join(".") || "body"}: ${issue?.message ?? "not as it has to be"}`,
  );
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
