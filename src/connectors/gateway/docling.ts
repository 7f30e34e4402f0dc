// docling-serve: a job is started, looked at, and its result fetched. It knows no keys of ours, and forgets a result minutes after it
// was made or at once when it was fetched; whoever loses a job starts another.

import { type Fault, permanent, transient } from "../../engine/index.ts";
import {
  type Answer,
  type CallOptions,
  type GuardedClient,
  type GuardedClientOptions,
  guardedClient,
  readJson,
  type Seen,
} from "../kit/index.ts";
import { type DoclingResult, Result, Task } from "./docling-result.ts";
import { DOCLING_MAPPINGS, type DoclingMapping, doclingPages, doclingXml, isDoclingMapping } from "./docling-xml.ts";
import { gatewayFault } from "./faults.ts";
import type { Converted, ConvertSource, GatewayAbout, GatewayJobs } from "./gateway.ts";
import { notAble } from "./http-gateway.ts";
import { multipart } from "./multipart.ts";
import { OutputFile } from "./output-file.ts";
import { PdfSource } from "./pdf-source.ts";
import { checkedRules, type StatusRules, statusFault } from "./status-rules.ts";

export interface DoclingOptions extends Pick<GuardedClientOptions, "service" | "ca" | "clock" | "resolve"> {
  readonly baseUrl: string;
  /** Sent as X-Api-Key. */
  readonly apiKey?: string;
  readonly statuses?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  readonly mostPdfBytes?: number;
  /** Its results come as JSON, which is held as a whole. */
  readonly mostResultBytes?: number;
}

const MEGABYTE = 1024 * 1024;
const TOTAL_MS = 180_000;
/** Refs remember what was asked for: the result holds nothing else. */
const REF = /^([a-z]+):([\w-]{1,100})$/;

export function doclingJobs(options: DoclingOptions): GatewayJobs {
  return new Docling(options);
}

class Docling implements GatewayJobs {
  readonly #service: string;
  readonly #http: GuardedClient;
  readonly #rules: StatusRules;
  readonly #now: () => number;
  /** Started by this process. Another one that dies with it leaves a job that nobody fetches, and that is dropped there. */
  readonly #started = new Map<string, string>();
  /** Jobs that nobody wants any more, by when that was first said here. */
  readonly #leaving = new Map<string, number>();

  constructor(options: DoclingOptions) {
    const { service, baseUrl, apiKey, ca, clock, resolve, now = Date.now } = options;
    const { mostPdfBytes = 512 * MEGABYTE, mostResultBytes = 64 * MEGABYTE } = options;
    this.#service = service;
    this.#rules = checkedRules(options.statuses ?? {});
    this.#now = now;
    this.#http = guardedClient({
      ...{ service, baseUrl, egress: "lan", redirects: "none" },
      ...(apiKey === undefined ? {} : { headers: { "x-api-key": apiKey } }),
      ...(ca === undefined ? {} : { ca }),
      ...(clock === undefined ? {} : { clock }),
      ...(resolve === undefined ? {} : { resolve }),
      limits: { totalMs: TOTAL_MS, requestBytes: mostPdfBytes + MEGABYTE, answerBytes: mostResultBytes },
    });
  }

  async about(signal?: AbortSignal): Promise<GatewayAbout> {
    try {
      await this.#http.ok({ url: "health", signal });
      const version = await versionOf(this.#http, signal);
      return { name: "docling-serve", version, mappings: Object.keys(DOCLING_MAPPINGS) };
    } catch (error) {
      throw notAble(gatewayFault(error, this.#service), this.#service);
    }
  }

  async start(source: ConvertSource, call: CallOptions = {}): Promise<string> {
    const { mapping, key } = source;
    const service = this.#service;
    if (!isDoclingMapping(mapping))
      throw permanent("INVALID_MAPPING", `${service} has no mapping of that name`, { service, breaker: "none" });
    const ref = await this.#ask(() => this.#send(source, mapping, call));
    remember(this.#started, key, ref);
    return ref;
  }

  async adopt(key: string): Promise<string | null> {
    return this.#started.get(key) ?? null;
  }

  async look(refs: readonly string[], call: CallOptions = {}): Promise<readonly Seen[]> {
    return await this.#ask(() => Promise.all(refs.map((ref) => this.#lookAt(ref, call))));
  }

  async fetch(ref: string, path: string, call: CallOptions = {}): Promise<Converted> {
    const output = await OutputFile.create(path);
    try {
      return await this.#ask(() => this.#fetch(ref, output, call));
    } catch (error) {
      await output.discard();
      throw error;
    }
  }

  /**
   * It has no way to end a job, and keeps a result until it was fetched. So a job is waited for, and what came of it is fetched and
   * thrown away; its route that clears results clears those of everybody. One that does not end is forgotten after an hour.
   */
  async cancel(ref: string, call: CallOptions = {}): Promise<boolean> {
    const id = REF.exec(ref)?.[2];
    if (id === undefined) return true;
    const { state } = await this.#ask(() => this.#lookAt(ref, call));
    const since = this.#leaving.get(ref) ?? this.#now();
    const isOver = state === "missing" || this.#now() - since >= FORGOTTEN_MS;
    if (!isOver && (state === "queued" || state === "running")) {
      remember(this.#leaving, ref, since);
      return false;
    }
    if (!isOver) {
      // Remembered until it is thrown away, so that one that cannot be is forgotten, too.
      remember(this.#leaving, ref, since);
      await this.#ask(() => this.#throwAway(id, call));
    }
    this.#leaving.delete(ref);
    return true;
  }

  async #throwAway(id: string, call: CallOptions): Promise<void> {
    const answer = await this.#http.send({ url: `v1/result/${id}`, into: () => undefined, ...call });
    if (answer.status !== 200 && answer.status !== 404) throw this.#refusal(answer, "letting go of a result");
  }

  async #send(source: ConvertSource, mapping: DoclingMapping, call: CallOptions): Promise<string> {
    const file = await PdfSource.open(source.file);
    try {
      const fields = [
        ["from_formats", "pdf"],
        ["to_formats", DOCLING_MAPPINGS[mapping]],
        ["image_export_mode", "placeholder"],
      ] as const;
      const { contentType, body } = multipart({ fields, file: "files", filename: source.name }, file);
      const headers = { "content-type": contentType, accept: "application/json" };
      const answer = await this.#http.send({ method: "POST", url: "v1/convert/file/async", headers, body, ...call });
      if (answer.status !== 200) throw this.#refusal(answer, "starting a conversion");
      const { task_id: id } = await readJson(answer, Task, this.#service);
      return `${mapping}:${id}`;
    } finally {
      await file.close();
    }
  }

  async #lookAt(ref: string, call: CallOptions): Promise<Seen> {
    const id = REF.exec(ref)?.[2];
    if (id === undefined) return { ref, state: "missing" };
    const answer = await this.#http.send({ url: `v1/status/poll/${id}`, ...call });
    if (answer.status === 404) return { ref, state: "missing" };
    if (answer.status !== 200) throw this.#refusal(answer, "asking for a conversion");
    return seen(ref, (await readJson(answer, Task, this.#service)).task_status, this.#service);
  }

  async #fetch(ref: string, output: OutputFile, call: CallOptions): Promise<Converted> {
    const service = this.#service;
    const [, mapping = "", id] = REF.exec(ref) ?? [];
    if (id === undefined || !isDoclingMapping(mapping)) throw gone(service);
    const answer = await this.#http.send({ url: `v1/result/${id}`, ...call });
    if (answer.status === 404) throw gone(service);
    if (answer.status !== 200) throw this.#refusal(answer, "fetching a result");
    const result = await readJson(answer, Result, service);
    const xml = usable(result) ? doclingXml(mapping, result) : undefined;
    if (xml === undefined) throw refused(result, service);
    await output.write(Buffer.from(xml));
    return { ...(await output.finish()), pages: doclingPages(result) };
  }

  #refusal(answer: Answer, what: string): Fault {
    return statusFault({
      ...{ service: this.#service, what, status: answer.status, headers: answer.headers },
      ...{ nowMs: this.#now(), rules: this.#rules, said: answer.body.toString("utf8", 0, 1_000) },
    });
  }

  async #ask<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw gatewayFault(error, this.#service);
    }
  }
}

const MOST_REMEMBERED = 10_000;
/** Some never end there; nobody waits for those. */
const FORGOTTEN_MS = 3_600_000;

/** The newest of them. */
function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  if (all.size >= MOST_REMEMBERED && !all.has(key)) all.delete([...all.keys()][0] ?? "");
  all.set(key, value);
}

function seen(ref: string, status: string, service: string): Seen {
  switch (status) {
    case "pending":
      return { ref, state: "queued" };
    case "started":
      return { ref, state: "running" };
    // Whether it came to something stands in the result.
    case "success":
    case "partial_success":
      return { ref, state: "done", output: null };
    case "failure":
    case "skipped": {
      // It answers the same for a broken PDF and for a broken worker, so it may get better.
      const fault = transient("GW_FAILED", `${service} says that the conversion failed`, {
        service,
        breaker: "success",
      });
      return { ref, state: "failed", fault };
    }
    default: {
      const fault = transient("GW_BAD_ANSWER", `${service} gives a conversion a state that is not known`, { service });
      return { ref, state: "failed", fault };
    }
  }
}

const usable = ({ status }: DoclingResult) => status === "success" || status === "partial_success";

function gone(service: string): Fault {
  return transient("JOB_GONE", `${service} has no such result any more`, { service, breaker: "success" });
}

function refused({ status, errors }: DoclingResult, service: string): Fault {
  const said = errors[0]?.error_message.slice(0, 200) ?? "it says nothing of why";
  if (status === "failure" || status === "skipped")
    return permanent("PARSE_ERROR", `${service} could not convert it: ${said}`, { service });
  return transient("GW_BAD_ANSWER", `${service} gave a result without what was asked for: ${said}`, { service });
}

/** Older ones do not say. */
async function versionOf(http: GuardedClient, signal: AbortSignal | undefined): Promise<string> {
  const answer = await http.send({ url: "version", signal });
  if (answer.status !== 200) return "unknown";
  return /"docling[-_]serve"\s*:\s*"([\w.+-]{1,40})"/.exec(answer.body.toString("utf8", 0, 4_000))?.[1] ?? "unknown";
}
