// The real client of gateways that answer a PDF with its XML. Both are streamed; neither is ever held as a whole.

import { type Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { type Answer, type CallOptions, type GuardedClientOptions, guardedClient } from "../kit/index.ts";
import { gatewayFault } from "./faults.ts";
import type { Converted, ConvertOrder, Gateway } from "./gateway.ts";
import { multipart } from "./multipart.ts";
import { OutputFile } from "./output-file.ts";
import { PdfSource } from "./pdf-source.ts";
import { type GatewayProtocol, grobidProtocol, sluiceProtocol } from "./protocols.ts";
import { checkedRules, statusFault } from "./status-rules.ts";
import { XmlCheck, XmlProblem } from "./xml-check.ts";

const PRESETS = { sluice: sluiceProtocol, grobid: grobidProtocol } as const;

export type GatewayPreset = keyof typeof PRESETS;

export interface HttpGatewayOptions
  extends Pick<GuardedClientOptions, "service" | "headers" | "ca" | "clock" | "now" | "resolve"> {
  readonly baseUrl: string;
  /** Whose words are spoken. "sluice": a form with `file` and `mapping` to `process`. */
  readonly preset?: GatewayPreset;
  /** What a status means at this one, where it is known better: `{ 502: "PARSE_ERROR" }`. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** How long to leave it alone after a 503 without a word, where that is normal. */
  readonly busyWaitMs?: number;
  /** For `sluice gateway`, and others that take a bearer token. */
  readonly token?: string;
  /** From the first byte of the PDF to the last of the XML. */
  readonly timeoutMs?: number;
  readonly mostPdfBytes?: number;
  readonly mostXmlBytes?: number;
}

export const GATEWAY_TIMEOUT_MS = 180_000;
const ABOUT_MS = 15_000;
const MEGABYTE = 1024 * 1024;
/** What stands around the file in its form. */
const FORM_BYTES = MEGABYTE;

const FAULTS = { "web-page": "GW_WEB_PAGE", bad: "GW_BAD_XML", truncated: "GW_TRUNCATED" } as const;

export function httpGateway(options: HttpGatewayOptions): Gateway {
  const { preset = "sluice", statuses = {}, timeoutMs = GATEWAY_TIMEOUT_MS, service } = options;
  const protocol: GatewayProtocol = PRESETS[preset];
  const rules = { ...protocol.statuses, ...checkedRules(statuses) };
  const busyWaitMs = options.busyWaitMs ?? protocol.busyWaitMs;
  const client = clientOptions(options);
  const http = guardedClient({
    ...client,
    limits: {
      ...{ headersMs: timeoutMs, totalMs: timeoutMs, idleMs: Math.min(timeoutMs, 60_000) },
      ...{ requestBytes: (options.mostPdfBytes ?? 512 * MEGABYTE) + FORM_BYTES },
      answerBytes: options.mostXmlBytes ?? 512 * MEGABYTE,
    },
  });
  const quick = guardedClient({ ...client, limits: { totalMs: ABOUT_MS, answerBytes: MEGABYTE } });
  const now = options.now ?? Date.now;

  const refusal = (answer: Answer): Fault =>
    statusFault({
      ...{ service, what: "converting", status: answer.status, headers: answer.headers, nowMs: now() },
      ...{ rules, busyWaitMs, declared: rules[answer.status] === undefined ? protocol.declared(answer) : undefined },
      said: answer.body.toString("utf8", 0, 1_000),
    });

  async function send(order: ConvertOrder, output: OutputFile, call: CallOptions): Promise<Converted> {
    const url = protocol.url(order.mapping);
    if (url === undefined)
      throw permanent("INVALID_MAPPING", `${service} has no mapping of that name`, { service, breaker: "none" });
    const source = await PdfSource.open(order.file);
    try {
      const form = { fields: protocol.fields(order), file: protocol.fileField, filename: order.name };
      const { contentType, body } = multipart(form, source);
      const check = new XmlCheck();
      const answer = await http.send({
        ...{ method: "POST", url, body, headers: { ...protocol.headers(order), "content-type": contentType } },
        ...{ signal: call.signal, trace: call.trace, what: "converting" },
        async into(chunk) {
          judged(() => check.push(chunk), service);
          await output.write(chunk);
        },
      });
      if (answer.status !== 200) throw refusal(answer);
      judged(() => check.end(), service);
      return { ...(await output.finish()), pages: protocol.pages(answer) };
    } finally {
      await source.close();
    }
  }

  return {
    async about(signal) {
      try {
        return await protocol.about(quick, signal);
      } catch (error) {
        throw notAble(gatewayFault(error, service), service);
      }
    },
    async convert(order, call = {}) {
      const output = await OutputFile.create(order.output);
      try {
        return await send(order, output, call);
      } catch (error) {
        await output.discard();
        throw gatewayFault(error, service);
      }
    },
  };
}

function clientOptions({ service, baseUrl, token, headers = {}, ...rest }: HttpGatewayOptions): GuardedClientOptions {
  const { ca, clock, now, resolve } = rest;
  return {
    ...{ service, baseUrl, egress: "lan", redirects: "none" },
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(ca === undefined ? {} : { ca }),
    ...(clock === undefined ? {} : { clock }),
    ...(now === undefined ? {} : { now }),
    ...(resolve === undefined ? {} : { resolve }),
  };
}

/** A status of its health says nothing of any item: whoever cannot be asked how it is cannot work. */
export function notAble(fault: Fault, service: string): Fault {
  if (fault.kind !== "permanent") return fault;
  return unavailable("GW_UNAVAILABLE", fault.message, { service, cause: fault });
}

function judged(check: () => void, service: string): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error;
    const message = `${service} answered with something that is no whole XML: ${error.message}`;
    throw transient(FAULTS[error.kind], message, { service, cause: error });
  }
}
