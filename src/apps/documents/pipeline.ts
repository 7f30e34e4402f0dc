// The pipeline of documents: validate → convert → store. In two versions, which differ in how the gateway is spoken to; both are always
// known, and what is uploaded gets the one that fits the gateway that is configured.

import { definePipeline, type ItemId, notYet, parseId, type Queryable } from "../../engine/index.ts";
import { type Document, document } from "./document.ts";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./limits.ts";
import type { DocumentGiven, DocumentPorts } from "./ports.ts";
import { gatewayService } from "./services.ts";
import { convert, fetchJob, jobsOf, lookAtJobs, startJob } from "./stages/convert.ts";
import { type Stored, storeResult } from "./stages/store.ts";
import { validate } from "./stages/validate.ts";
import { completeDocuments, holdSources } from "./store/documents.sql.ts";
import { upkeepPipeline } from "./upkeep/upkeep.ts";

/** What waits for its next try, or for the gateway, is queued again. */
const WORDS = ["queued", "processing", "queued"] as const;
const STILL = "the gateway cannot end a conversion; when it is over, what came of it is thrown away";
/** Of a visit, beyond what the gateway has: its own limit is told as what it is. */
const SLACK_MS = 30_000;

export function documentPipelines(given: DocumentGiven, changed: Partial<DocumentLimits> = {}) {
  const limits = { ...DOCUMENT_LIMITS, ...changed };
  const ports: DocumentPorts = { ...given, limits, gateway: gatewayService(limits) };
  return { ports, once: oncePipeline(ports), jobs: jobsPipeline(ports), upkeep: upkeepPipeline(ports) };
}

function begun(version: number, ports: DocumentPorts) {
  const { attempts, backoff } = ports.limits;
  return definePipeline("documents", {
    ...{ version, input: document, title: "name", fair: true },
    size: ({ bytes }) => bytes,
    // An upload has limits, an owner and a row of its own; an item by itself has none of them.
    reserved: "upload PDFs to POST /api/v1/documents",
    retry: ({ item }) => retryRefusal(ports, item),
    reopen: reopenRefusals,
  }).stage("validate", { attempts, backoff, words: WORDS, weight: 1, run: (visit) => validate(visit, ports) });
}

function oncePipeline(ports: DocumentPorts) {
  const { attempts, backoff, timeoutMs } = ports.limits;
  return begun(1, ports)
    .stage("convert", {
      ...{ attempts, backoff, words: WORDS, weight: 20, timeout: timeoutMs + SLACK_MS },
      uses: ports.gateway,
      run: (visit) => convert(visit, ports),
    })
    .stage("store", { ...storing(ports), run: (visit) => storeResult(visit, ports) });
}

function jobsPipeline(ports: DocumentPorts) {
  const { attempts, backoff, timeoutMs, every } = ports.limits;
  return begun(2, ports)
    .stage("convert", {
      ...{ attempts, backoff, words: WORDS, weight: 20, every, timeout: timeoutMs + SLACK_MS },
      outside: ports.gateway,
      start: (visit, client) => startJob(visit, client, ports),
      adopt: ({ key, signal }, client) => jobsOf(client).adopt(key, { signal }),
      look: (refs, client) => lookAtJobs(refs, client),
      cancel: async (ref, client) =>
        (await jobsOf(client).cancel(ref)) ? undefined : notYet("still_converting", STILL, every),
      // How long nothing may move there; what is queued there has a clock of its own.
      stall: { never: timeoutMs, stopped: timeoutMs, react: "restart" },
      finish: (visit) => fetchJob(visit, ports),
    })
    .stage("store", { ...storing(ports), run: (visit) => storeResult(visit, ports) });
}

function storing({ limits: { attempts, backoff } }: DocumentPorts) {
  return {
    ...{ attempts, backoff, words: WORDS, weight: 1 },
    commit: async (
      tx: Parameters<typeof completeDocuments>[0],
      all: readonly { readonly item: string; readonly input: Document; readonly output: Stored }[],
    ) =>
      completeDocuments(
        tx,
        all.map(({ item, output }) => ({ item: parseId("item", item), ...output })),
      ),
  };
}

/** Asked before any retry by hand, by whatever route. */
async function retryRefusal({ store }: DocumentPorts, item: Parameters<DocumentPorts["store"]["source"]>[0]) {
  return refusalOf(await store.source(item));
}

/** In the transaction in which they live again: a PDF is not removed between this and that. */
async function reopenRefusals(tx: Queryable, items: readonly ItemId[]): Promise<ReadonlyMap<ItemId, string>> {
  const ids = new Map(items.map((item) => [parseId("item", item), item]));
  const rows = new Map((await holdSources(tx, [...ids.keys()])).map((row) => [row.item_id, row]));
  const refusals = [...ids].map(([id, item]): [ItemId, string | undefined] => {
    const row = rows.get(id);
    return [item, row?.is_leaving === true ? "it is being removed" : refusalOf(row)];
  });
  return new Map(refusals.filter((one): one is [ItemId, string] => one[1] !== undefined));
}

/** Why a document cannot be converted again; undefined where it can. Pure. */
export function refusalOf(row: { readonly source_gone_at: Date | null } | undefined): string | undefined {
  if (row === undefined) return "it was not uploaded here";
  if (row.source_gone_at === null) return undefined;
  return `its PDF was removed on ${row.source_gone_at.toISOString().slice(0, 10)}; upload it again`;
}
