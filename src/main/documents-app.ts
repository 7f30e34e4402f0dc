// The documents application, as it is configured.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { DocumentGateway, DocumentLimits, DocumentsApp, Places } from "../apps/documents/index.ts";
import type { Gateway } from "../connectors/index.ts";
import type { Tables } from "../engine/index.ts";
import type { Config } from "./config/settings.ts";
import type { KeptGateway } from "./embedded-gateway.ts";
import { UsageError } from "./exit.ts";
import { ownFolder } from "./own-folder.ts";

const MEGABYTE = 1_024 * 1_024;

export async function loadDocuments(config: Config, tables: () => Promise<Tables>): Promise<DocumentsApp> {
  const { documentsApp } = await import("../apps/documents/index.ts");
  return documentsApp({ tables, gateway: await gatewayOf(config), places: placesOf(config), limits: limitsOf(config) });
}

/** Where files lie; the same for every process that has to do with them. */
export function placesOf(config: Config): Places {
  const folder = ownFolder(config) ?? "./data";
  return {
    uploads: path.resolve(config["documents.uploads"] ?? path.join(folder, "uploads")),
    results: path.resolve(config["documents.results"] ?? path.join(folder, "results")),
  };
}

/** Made by now, where the application is started: their disks are watched. */
export async function documentDisks(config: Config) {
  if (!config.apps.includes("documents")) return [];
  const { uploads, results } = placesOf(config);
  for (const folder of [uploads, results]) await mkdir(folder, { recursive: true });
  return [
    { use: "uploads", path: uploads },
    { use: "results", path: results },
  ];
}

/** Where the embedded gateway is asked, and with what, stands in here. */
export function gatewayFolder(config: Config): string {
  return path.resolve(ownFolder(config) ?? "./data", "gateway");
}

/** Whether `sluice up` keeps a gateway running. */
export function hasOwnGateway(config: Config): boolean {
  return config.apps.includes("documents") && config["gateway.url"] === undefined;
}

/** How it is started: it takes what may be uploaded, and as much at a time as is sent to it. */
export function ownGatewayOf(config: Config): KeptGateway {
  const [most, atOnce] = [config["documents.uploadMaxMb"], config["gateway.concurrency"]];
  const flags = ["--max-pdf", String(most), "--at-once", String(atOnce)];
  return { folder: gatewayFolder(config), logLevel: config["log.level"], flags };
}

/** From the settings to the application's numbers. Pure. */
export function limitsOf(config: Config): DocumentLimits {
  const attempts = config["retry.maxAttempts"];
  const base = config["retry.baseDelayMs"];
  return {
    attempts,
    // Never cut short: the attempts bound it.
    backoff: { base, cap: base * 2 ** Math.min(20, attempts), jitter: config["retry.jitterMaxMs"] },
    breaker: {
      rate: config["circuit.failThreshold"] / 100,
      calls: config["circuit.window"],
      window: config["circuit.windowMs"],
      cooldown: config["circuit.cooldownMs"],
    },
    atATime: config["gateway.concurrency"],
    rate: config["gateway.rate"] ?? null,
    timeoutMs: config["gateway.timeoutMs"],
    fileBytes: config["documents.uploadMaxMb"] * MEGABYTE,
    files: config["documents.uploadMaxFiles"],
    uploadsPerMinute: config["documents.uploadsPerMinute"],
    uploadsAtOnce: config["documents.uploadsAtOnce"],
    openMost: config["documents.openMost"],
    freeBytes: config["documents.minFreeMb"] * MEGABYTE,
    keepSourcesMs: config["documents.keepSources"],
    keepResultsMs: config["documents.keepResults"],
    mapping: config["gateway.mapping"],
    every: "5s",
  };
}

async function gatewayOf(config: Config): Promise<DocumentGateway> {
  const { doclingJobs, httpGateway } = await import("../connectors/index.ts");
  const [url, kind, token] = [config["gateway.url"], config["gateway.kind"], config["gateway.token"]];
  const common = { service: "gateway", statuses: statusesOf(config["gateway.statuses"]) };
  const timeoutMs = config["gateway.timeoutMs"];
  if (url === undefined) {
    if (kind !== "sluice") throw new UsageError(`GATEWAY_KIND ${kind} needs GATEWAY_URL`, "set where that gateway is");
    return { once: await ownGateway(config, (place) => httpGateway({ ...common, timeoutMs, ...place })) };
  }
  const sized = { ...common, baseUrl: url, mostPdfBytes: config["documents.uploadMaxMb"] * MEGABYTE };
  if (kind === "docling") return { jobs: doclingJobs({ ...sized, ...(token === undefined ? {} : { apiKey: token }) }) };
  const preset = kind === "grobid" ? "grobid" : "sluice";
  return { once: httpGateway({ ...sized, preset, timeoutMs, ...(token === undefined ? {} : { token }) }) };
}

/** The one that runs beside us may be started again elsewhere at any time: it is looked for before each call. */
async function ownGateway(
  config: Config,
  at: (place: { readonly baseUrl: string; readonly token: string }) => Gateway,
): Promise<Gateway> {
  const { findGateway } = await import("../connectors/index.ts");
  const { unavailable } = await import("../engine/index.ts");
  const folder = gatewayFolder(config);
  const found = async () => {
    const place = await findGateway(folder);
    if (place === undefined) throw unavailable("GW_UNAVAILABLE", "the gateway is not running", { service: "gateway" });
    return at({ baseUrl: place.url, token: place.token });
  };
  return {
    about: async (signal) => (await found()).about(signal),
    convert: async (order, call) => (await found()).convert(order, call),
  };
}

function statusesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const [, status, code] = /^(\d{3})=([A-Z0-9_]+)$/.exec(one) ?? [];
      if (status === undefined || code === undefined)
        throw new UsageError(`GATEWAY_STATUSES has ${JSON.stringify(one)}`, "write it as 502=PARSE_ERROR");
      return [status, code];
    }),
  );
}
