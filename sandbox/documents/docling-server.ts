// A little service in the words of docling-serve: jobs, whose results are there once. Time in it passes by `tick()` alone.

import type { IncomingMessage } from "node:http";
import { isPdf } from "../../src/connectors/index.ts";
import { LittleServer, type Said } from "../media/little-server.ts";
import { json, readForm } from "./scripted-gateway.ts";

interface DoclingTask {
  readonly format: string;
  readonly file: Uint8Array;
  status: "pending" | "started" | "success" | "failure";
}

export class DoclingServer extends LittleServer {
  readonly #tasks = new Map<string, DoclingTask>();
  readonly #key: string | undefined;
  /** Whose results were given away, in that order. */
  readonly fetched: string[] = [];
  /** Of the next tasks so many are begun, and nobody is told. */
  lostStarts = 0;
  #last = 0;
  #held: PromiseWithResolvers<void> | undefined;

  constructor({ apiKey }: { readonly apiKey?: string } = {}) {
    super();
    this.#key = apiKey;
  }

  get url(): string {
    return `${this.origin}/`;
  }

  get tasks(): number {
    return this.#tasks.size;
  }

  /** Tasks that ever were. */
  get started(): number {
    return this.#last;
  }

  /** What is started is, and nobody is told of it until what is returned is called. */
  holdAnswers(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      this.#held = undefined;
      held.resolve();
    };
  }

  /** One step of every task. */
  tick(): void {
    for (const task of this.#tasks.values()) {
      if (task.status === "pending") task.status = "started";
      else if (task.status === "started") task.status = isPdf(task.file) ? "success" : "failure";
    }
  }

  /** As it is after it was started again. */
  forget(): void {
    this.#tasks.clear();
  }

  protected override async answer({ pathname }: URL, request: IncomingMessage, body: Buffer): Promise<Said> {
    if (pathname === "/health") return json(200, { status: "ok" });
    if (pathname === "/version") return json(200, { "docling-serve": "1.9.0", docling: "2.60.0" });
    if (this.#key !== undefined && request.headers["x-api-key"] !== this.#key)
      return json(401, { detail: "Unauthorized" });
    const [, , kind = "", ...rest] = pathname.split("/");
    const id = rest.at(-1) ?? "";
    if (pathname === "/v1/convert/file/async") return await this.#start(request, body);
    const task = this.#tasks.get(id);
    if (task === undefined) return json(404, { detail: "Task not found." });
    if (kind === "status") return json(200, said(id, task));
    if (task.status !== "success")
      return json(404, { detail: "Task result not found. Please wait for a completion status." });
    this.#tasks.delete(id);
    this.fetched.push(id);
    return json(200, resultOf(task));
  }

  async #start(request: IncomingMessage, body: Buffer): Promise<Said> {
    const { file, fields } = await readForm(request, body, "files");
    if (file.byteLength === 0) return json(422, { detail: [{ msg: "field required" }] });
    this.#last += 1;
    const id = `0000-task-${this.#last}`;
    const task: DoclingTask = { format: fields.get("to_formats") ?? "md", file, status: "pending" };
    this.#tasks.set(id, task);
    await this.#held?.promise;
    if (this.lostStarts > 0) {
      this.lostStarts -= 1;
      request.socket.resetAndDestroy();
    }
    return json(200, said(id, task));
  }
}

function said(id: string, { status }: DoclingTask) {
  return { task_id: id, task_type: "convert", task_status: status, task_position: status === "pending" ? 1 : null };
}

function resultOf({ format }: DoclingTask) {
  const prov = [{ page_no: 1, bbox: { l: 50, t: 700, r: 200, b: 688, coord_origin: "BOTTOMLEFT" } }];
  const cell = {
    text: "A & B",
    start_row_offset_idx: 0,
    start_col_offset_idx: 0,
    row_span: 1,
    col_span: 2,
    column_header: true,
  };
  const content = {
    schema_name: "DoclingDocument",
    name: "in",
    pages: { "1": { page_no: 1, size: { width: 595, height: 842 } } },
    body: { self_ref: "#/body", children: [{ $ref: "#/groups/0" }, { $ref: "#/tables/0" }], label: "unspecified" },
    groups: [
      {
        self_ref: "#/groups/0",
        label: "list",
        children: [{ $ref: "#/texts/1" }, { $ref: "#/texts/0" }, { $ref: "#/groups/0" }],
      },
    ],
    texts: [
      { self_ref: "#/texts/0", label: "text", text: "second\u0002", prov },
      { self_ref: "#/texts/1", label: "section_header", level: 1, text: "First <of> all", prov },
    ],
    tables: [{ self_ref: "#/tables/0", label: "table", prov, data: { table_cells: [cell] } }],
    pictures: [],
  };
  const document = {
    filename: "in.pdf",
    json_content: format === "json" ? content : null,
    doctags_content: format === "doctags" ? "<doctag><loc_1>Text & more</doctag>" : null,
    md_content: format === "md" ? "# Title\n" : null,
  };
  return { document, status: "success", errors: [], processing_time: 0.1, timings: {} };
}
