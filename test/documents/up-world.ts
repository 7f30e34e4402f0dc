// `sluice up --apps documents` as a process with a database of its own, and further workers beside it, asked over HTTP.

import { mkdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import type { DocumentView, Uploaded } from "../../src/server/contract/wire.ts";
import { type Going, startCli } from "../support/cli.ts";
import { type FormFile, uploadForm } from "../support/pretend-documents.ts";
import { until } from "../support/until.ts";

const ADMIN = { name: "ann", password: "correct horse battery" };

/** Short enough for a test to see the end of it. */
const QUICK = {
  ...{ APPS: "documents", SERVER_PORT: "0", WORKER_GRACE_SEC: "0", UPLOADS_PER_MINUTE: "0", UPLOADS_AT_ONCE: "0" },
  ...{
    UPLOAD_MIN_FREE_MB: "0",
    SERVER_ADMIN_NAME: ADMIN.name,
    SERVER_ADMIN_PASSWORD: ADMIN.password,
    CIRCUIT_COOLDOWN_MS: "1000",
  },
  ...{ RETRY_BASE_DELAY_MS: "100", RETRY_JITTER_MAX_MS: "50", LOG_LEVEL: "error" },
};

export class DocumentsUp {
  readonly root = temporaryFolder("sluice-up-documents");
  /** Further processes beside it are started with the same. */
  readonly environment: Record<string, string>;
  readonly #command: "up" | "server";
  #going: Going | undefined;
  #url = "";
  #cookie = "";

  constructor(environment: Record<string, string> = {}, command: "up" | "server" = "up") {
    const data = path.join(this.root, "data");
    this.environment = { ...QUICK, DATABASE_URL: data, ...environment };
    this.#command = command;
    mkdirSync(data);
  }

  get process(): Going {
    if (this.#going === undefined) throw new Error("it is not up");
    return this.#going;
  }

  /** Signed in when it answers. */
  async up(): Promise<void> {
    this.#going = startCli([this.#command], this.environment, this.root);
    [, this.#url = ""] = await this.#going.says(/listening on (\S+)/);
    this.#cookie = await this.signIn(ADMIN);
  }

  get url(): string {
    return this.#url;
  }

  /** The cookie of a session of somebody's. */
  async signIn(who: { readonly name: string; readonly password: string }): Promise<string> {
    const headers = { "content-type": "application/json", origin: this.#url };
    const response = await fetch(`${this.#url}/api/v1/session`, { method: "POST", headers, body: JSON.stringify(who) });
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  }

  async kill(): Promise<void> {
    await this.process.end("SIGKILL");
  }

  async close(): Promise<void> {
    await this.#going?.end("SIGTERM");
    rmSync(this.root, { recursive: true, force: true });
  }

  /** A form is sent as a form, anything else as JSON; by the admin, unless it is said. */
  async ask(method: string, at: string, given?: unknown, cookie = this.#cookie): Promise<Response> {
    const isJson = given !== undefined && !(given instanceof FormData);
    const body = isJson ? JSON.stringify(given) : given;
    const type = isJson ? { "content-type": "application/json" } : {};
    const headers = { cookie, origin: this.#url, ...type };
    return await fetch(`${this.#url}/api/v1${at}`, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  async json<T>(method: string, at: string, body?: unknown, cookie?: string): Promise<T> {
    const response = await this.ask(method, at, body, cookie);
    const said = await response.text();
    if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${said}`);
    return JSON.parse(said) as T; // by the contract, which other tests hold it to
  }

  async upload(...files: readonly FormFile[]): Promise<DocumentView[]> {
    const { files: came } = await this.json<Uploaded>("POST", "/documents", uploadForm(files));
    return came.flatMap(({ document }) => document ?? []);
  }

  /** An upload whose file has begun and does not go on; it is on the disk in part when this resolves. */
  async beginUpload(name: string): Promise<void> {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n%PDF-1.7\n`;
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(head)) });
    const headers = { cookie: this.#cookie, origin: this.#url, "content-type": "multipart/form-data; boundary=x" };
    const sent = { method: "POST", headers, body, duplex: "half" } as RequestInit; // a stream needs the last
    const going = fetch(`${this.#url}/api/v1/documents`, sent);
    going.catch(() => undefined); // the server dies over it
    const parts = async () => (await this.files("uploads")).filter((file) => file.endsWith(".part")).length;
    await until(async () => (await parts()) > 0, "a part of it on the disk");
  }

  async read(id: string): Promise<DocumentView> {
    return await this.json<DocumentView>("GET", `/documents/${id}`);
  }

  /** As it stands when it has ended. */
  async ended(id: string): Promise<DocumentView> {
    let seen: DocumentView | undefined;
    await until(
      async () => {
        seen = await this.read(id);
        return seen.finishedAt !== null;
      },
      () => `an end of ${id}; seen last: ${JSON.stringify(seen)}`,
      100_000,
    );
    if (seen === undefined) throw new Error("it was never seen");
    return seen;
  }

  async files(kind: "uploads" | "results"): Promise<string[]> {
    const all = await readdir(path.join(this.root, "data", kind), { recursive: true, withFileTypes: true });
    return all.filter((one) => one.isFile()).map(({ name }) => name);
  }
}
