// The documents application as the demo world opens it: the same in its server, in its worker, and in the children of that.

import { join } from "node:path";
import { type DocumentLimits, type DocumentsApp, documentsApp, GATEWAY } from "../../src/apps/documents/index.ts";
import { findGateway, type Gateway, httpGateway } from "../../src/connectors/index.ts";
import { type Tables, unavailable } from "../../src/engine/index.ts";

/** Limits that somebody can watch. Attempts and the times between them are as usual. */
export const WATCHED_DOCUMENTS: Partial<DocumentLimits> = {
  breaker: { failures: 1, items: 1, cooldown: "3s" },
  freeBytes: 64 * 1_024 * 1_024,
};

export interface DocumentsPlace {
  /** Of the world: the gateway and all files are below it. */
  readonly folder: string;
  readonly limits: Partial<DocumentLimits>;
}

export interface SandboxDocumentsOptions extends DocumentsPlace {
  readonly tables: () => Promise<Tables>;
  /** Of the front of the gateway; undefined while nobody knows it. */
  readonly port: () => number | undefined;
}

export const gatewayFolder = (folder: string): string => join(folder, "gateway");

export function sandboxDocuments({ tables, folder, limits, port }: SandboxDocumentsOptions): DocumentsApp {
  const places = { uploads: join(folder, "documents/uploads"), results: join(folder, "documents/results") };
  return documentsApp({ tables, places, limits, gateway: { once: behindFront(gatewayFolder(folder), port) } });
}

/** The token is the real one's, which looks at it. */
function behindFront(folder: string, port: () => number | undefined): Gateway {
  const found = async () => {
    const [place, at] = [await findGateway(folder), port()];
    if (place === undefined || at === undefined)
      throw unavailable("GW_UNAVAILABLE", "the gateway is not running", { service: GATEWAY });
    return httpGateway({ service: GATEWAY, baseUrl: `http://127.0.0.1:${at}/`, token: place.token });
  };
  return {
    about: async (signal) => (await found()).about(signal),
    convert: async (order, call) => (await found()).convert(order, call),
  };
}
