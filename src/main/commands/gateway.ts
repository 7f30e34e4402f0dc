// `sluice gateway`: the embedded gateway, in a process of its own.

import path from "node:path";
import { GATEWAY_LIMITS, type GatewayServerOptions, processState, serveGateway } from "../../connectors/index.ts";
import { InputError, toMilliseconds } from "../../kit/index.ts";
import { UsageError } from "../exit.ts";
import { makeLog } from "../log.ts";
import { makeSay } from "../say.ts";
import { stopSignal } from "../stop-signal.ts";
import { packageVersion } from "../version.ts";
import { type Call, textOption } from "./call.ts";

export const GATEWAY_PORT = 7473;
const MEGABYTE = 1024 * 1024;
const HELP = "sluice gateway --help";

export async function gateway({ options, out }: Call): Promise<undefined> {
  const settings = gatewaySettings(options);
  const say = makeSay(out);
  const log = makeLog({ level: textOption(options, "logLevel") });
  const stop = stopSignal({ withParent: true });
  const self = { pid: process.pid, started: processState(process.pid)?.started ?? "" };
  const server = await serveGateway({ ...settings, self, version: await packageVersion(), log });
  const { url, tokenFile, reader } = server;
  const missing = reader.notInForce;
  const alone = missing.length === 0 ? "" : `; this machine does not confine it in ${missing.join(", ")}`;
  say(
    "listening",
    `converting at ${url} with the token in ${tokenFile}; ${reader.reader} ${reader.version} reads${alone}`,
    {
      ...{ url, tokenFile, reader: reader.reader, readerVersion: reader.version, hasNoNetwork: reader.hasNoNetwork },
      notInForce: missing,
    },
  );
  const signal = await stop.told;
  say("stopping", `${signal}: finishing what is in hand`, { signal });
  await server.stop();
  return undefined;
}

/** What was typed → what the gateway is told. Pure. */
export function gatewaySettings(
  options: Readonly<Record<string, unknown>>,
): Omit<GatewayServerOptions, "self" | "version"> {
  const folder = textOption(options, "folder");
  if (folder === undefined) throw new UsageError("sluice gateway needs --folder", "sluice gateway --folder gateway");
  const number = (name: string, flag: string, fallback: number) =>
    wholeOption(textOption(options, name), flag, fallback);
  const { atOnce, mostPdfBytes, mostXmlBytes, mostPages, memoryBytes, cpuSeconds, wallMs } = GATEWAY_LIMITS;
  const reader = textOption(options, "reader");
  if (reader !== undefined && reader !== "poppler" && reader !== "pdfjs")
    throw new UsageError(`--reader must be poppler or pdfjs, got "${reader}"`, HELP);
  return {
    folder: path.resolve(folder),
    host: textOption(options, "host") ?? "127.0.0.1",
    port: number("port", "--port", GATEWAY_PORT),
    ...(reader === undefined ? {} : { reader }),
    atOnce: number("atOnce", "--at-once", atOnce),
    mostPdfBytes: number("maxPdf", "--max-pdf", mostPdfBytes / MEGABYTE) * MEGABYTE,
    mostXmlBytes: number("maxXml", "--max-xml", mostXmlBytes / MEGABYTE) * MEGABYTE,
    mostPages: number("maxPages", "--max-pages", mostPages),
    memoryBytes: number("memory", "--memory", memoryBytes / MEGABYTE) * MEGABYTE,
    cpuSeconds: Math.ceil(timeOption(textOption(options, "cpuTime"), "--cpu-time", cpuSeconds * 1_000) / 1_000),
    wallMs: timeOption(textOption(options, "time"), "--time", wallMs),
  };
}

function wholeOption(text: string | undefined, flag: string, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (text?.trim() === "" || !Number.isSafeInteger(value) || value < 0)
    throw new UsageError(`${flag} must be a whole number from 0 up, got "${text}"`, HELP);
  return value;
}

function timeOption(text: string | undefined, flag: string, fallback: number): number {
  try {
    return text === undefined ? fallback : toMilliseconds(text, flag);
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message, HELP);
    throw error;
  }
}
