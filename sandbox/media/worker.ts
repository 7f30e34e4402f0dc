// The worker of the media world, which can be killed. The same file runs again in the children that visit what a killed one held; there
// `openSluice` never returns, and the application has a small pool of its own.

import { inspect } from "node:util";
import type { MediaLimits } from "../../src/apps/media/index.ts";
import { isChildProcess, openSluice, openTables, type Sluice, type Tables } from "../../src/engine/index.ts";
import { type DocumentsPlace, sandboxDocuments } from "../documents/app.ts";
import { beChild } from "../processes/child.ts";
import { sandboxMedia, together } from "./app.ts";

const { SANDBOX_DATABASE = "", SANDBOX_KEY_FILE = "", SANDBOX_ENCODES = "" } = process.env;
const { SANDBOX_LIMITS = "{}", SANDBOX_CONCURRENCY = "20", SANDBOX_DOCUMENTS } = process.env;
let sluice: Sluice | undefined;
const child = isChildProcess() ? undefined : beChild({ onEnd: () => sluice?.close() });
const say = (event: string, facts: unknown) => console.error(`${event} ${inspect(facts)}`);

let own: ReturnType<typeof openTables> | undefined;
async function tables(): Promise<Tables> {
  if (sluice !== undefined) return sluice.tables;
  own ??= openTables({ database: SANDBOX_DATABASE });
  return (await own).tables;
}
const app = await sandboxMedia({
  tables,
  keyFile: SANDBOX_KEY_FILE,
  encodes: SANDBOX_ENCODES,
  // Written by the world that started this.
  limits: JSON.parse(SANDBOX_LIMITS) as Partial<MediaLimits>,
});
const documents = SANDBOX_DOCUMENTS === undefined ? undefined : documentsAt(SANDBOX_DOCUMENTS);
sluice = await openSluice({
  ...{ ...together(app, documents), schedules: documents?.schedules ?? [], database: SANDBOX_DATABASE },
  worker: { name: "media-worker", concurrency: Number(SANDBOX_CONCURRENCY), grace: "1s" },
  log: { info: () => undefined, warn: say, error: say },
});
child?.ready();

function documentsAt(written: string) {
  // Written by the world that started this.
  const { port, ...place } = JSON.parse(written) as DocumentsPlace & { readonly port: number };
  return sandboxDocuments({ ...place, tables, port: () => port });
}
