// What gateways differ in: where they are asked, by which names, and what their answers mean.

import { z } from "zod";
import { type Answer, type GuardedClient, readJson } from "../kit/index.ts";
import { type GatewayCode, isGatewayCode } from "./codes.ts";
import type { ConvertSource, GatewayAbout } from "./gateway.ts";
import type { StatusRules } from "./status-rules.ts";

export interface GatewayProtocol {
  /** Below the base address. */
  readonly url: (mapping: string) => string | undefined;
  readonly fileField: string;
  readonly fields: (source: ConvertSource) => readonly (readonly [name: string, value: string])[];
  readonly headers: (source: ConvertSource) => Readonly<Record<string, string>>;
  /** Where these differ from what a status means otherwise. */
  readonly statuses: StatusRules;
  /** For one whose 503 only says that it is busy. */
  readonly busyWaitMs: number | undefined;
  /** The code that an answer other than 200 declares by itself. */
  readonly declared: (answer: Answer) => GatewayCode | undefined;
  readonly pages: (answer: Answer) => number | null;
  readonly about: (http: GuardedClient, signal?: AbortSignal) => Promise<GatewayAbout>;
}

const Health = z.object({
  name: z.string().max(100).default("gateway"),
  version: z.string().max(100).default("unknown"),
  mappings: z.array(z.string().max(100)).max(200).nullable().default(null),
});

const Refusal = z.object({ error: z.object({ code: z.string() }) });

export const PAGES_HEADER = "x-pages";

/** Our own, and that of plain gateways like it: a form with `file` and `mapping` to `process`, and `health`. */
export const sluiceProtocol: GatewayProtocol = {
  url: () => "process",
  fileField: "file",
  fields: ({ mapping }) => [["mapping", mapping]],
  headers: ({ key }) => ({ accept: "application/xml", "idempotency-key": encodeURIComponent(key) }),
  statuses: {},
  busyWaitMs: undefined,
  declared(answer) {
    const { data } = Refusal.safeParse(parsed(answer.body));
    return data !== undefined && isGatewayCode(data.error.code) ? data.error.code : undefined;
  },
  pages(answer) {
    const said = answer.headers[PAGES_HEADER];
    return typeof said === "string" && /^\d{1,7}$/.test(said) ? Number(said) : null;
  },
  async about(http, signal) {
    const answer = await http.ok({ url: "health", signal });
    // Some say nothing but that they are well.
    if (!(answer.headers["content-type"] ?? "").includes("json")) return Health.parse({});
    return await readJson(answer, Health, http.service);
  },
};

const GROBID: Readonly<Record<string, string>> = {
  fulltext: "api/processFulltextDocument",
  header: "api/processHeaderDocument",
  references: "api/processReferences",
};
/** What GROBID declares in brackets before its words, with a 500: nothing of it gets better by asking again. */
const GROBID_CODES: Readonly<Record<string, GatewayCode>> = {
  BAD_INPUT_DATA: "PARSE_ERROR",
  PDFALTO_CONVERSION_FAILURE: "PARSE_ERROR",
  NO_BLOCKS: "NO_CONTENT",
  TOO_MANY_BLOCKS: "TOO_COMPLEX",
  TOO_MANY_TOKENS: "TOO_COMPLEX",
  TIMEOUT: "GW_TIMEOUT",
};
/** It has as many engines as processors, and each takes seconds. */
const GROBID_BUSY_MS = 5_000;

export const grobidProtocol: GatewayProtocol = {
  url: (mapping) => (Object.hasOwn(GROBID, mapping) ? GROBID[mapping] : undefined),
  fileField: "input",
  fields: () => [],
  headers: () => ({ accept: "application/xml" }),
  statuses: { 204: "NO_CONTENT" },
  busyWaitMs: GROBID_BUSY_MS,
  declared({ status, body }) {
    if (status !== 500) return undefined;
    const code = /^\s*\[([A-Z_]{1,40})\]/.exec(body.toString("utf8", 0, 100))?.[1] ?? "";
    return Object.hasOwn(GROBID_CODES, code) ? GROBID_CODES[code] : undefined;
  },
  pages: () => null,
  async about(http, signal) {
    await http.ok({ url: "api/isalive", signal });
    // Plain text in older ones, JSON since.
    const said = (await http.ok({ url: "api/version", signal })).body.toString("utf8", 0, 200);
    const version = /\d+\.\d+[\w.-]*/.exec(said)?.[0] ?? "unknown";
    return { name: "grobid", version, mappings: Object.keys(GROBID) };
  },
};

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8", 0, 10_000));
  } catch {
    return undefined;
  }
}
