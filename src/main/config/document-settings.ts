// The settings of documents, under the names that operators know from before. `RETRY_*`, `CIRCUIT_*` and `GATEWAY_*` govern documents and
// nothing else; `WORKER_*` and `DATABASE_URL` govern everything.

import type { Setting } from "./setting.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ms = (lowest: number, highest: number) => ({ type: "whole", lowest, highest, unit: "ms" }) as const;
const megabytes = (lowest: number) => ({ type: "whole", lowest, highest: 1_000_000, unit: "MB" }) as const;

export const DOCUMENT_SETTINGS = {
  "gateway.url": {
    env: "GATEWAY_URL",
    kind: { type: "url" },
    about: "the gateway that converts documents; unset: one of its own, which sluice up --apps documents starts",
  },
  "gateway.kind": {
    env: "GATEWAY_KIND",
    kind: { type: "choice", of: ["sluice", "grobid", "docling"] },
    fallback: "sluice",
    about: "how it is spoken to; docling takes jobs, the others answer when they are done",
  },
  "gateway.token": {
    env: "GATEWAY_TOKEN",
    kind: { type: "text" },
    secret: true,
    about: "what it lets us in with, where it asks for that",
  },
  "gateway.timeoutMs": {
    env: "GATEWAY_TIMEOUT_MS",
    kind: ms(1_000, 24 * HOUR_MS),
    fallback: 180_000,
    about: "how long one conversion may take",
  },
  "gateway.concurrency": {
    env: "GATEWAY_CONCURRENCY",
    kind: { type: "whole", lowest: 1, highest: 10_000, unit: "documents" },
    fallback: 4,
    about: "at a time at the gateway, over all workers",
  },
  "gateway.rate": {
    env: "GATEWAY_RATE",
    kind: { type: "text" },
    about: "how many may be begun, over all workers: 10/s, 100/min or 1000/h; unset: as many as there is room for",
  },
  "gateway.mapping": {
    env: "GATEWAY_MAPPING",
    kind: { type: "text" },
    fallback: "layout",
    about: "what is made of a document where nobody says",
  },
  "gateway.statuses": {
    env: "GATEWAY_STATUSES",
    kind: { type: "list" },
    fallback: [] as readonly string[],
    about: "what a status means at this gateway, where it is known better: 502=PARSE_ERROR",
  },
  "retry.maxAttempts": {
    env: "RETRY_MAX_ATTEMPTS",
    kind: { type: "whole", lowest: 1, highest: 100, unit: "attempts" },
    fallback: 3,
    about: "counted tries of a document before it has failed",
  },
  "retry.baseDelayMs": {
    env: "RETRY_BASE_DELAY_MS",
    kind: ms(50, 24 * HOUR_MS),
    fallback: 5_000,
    about: "before the second try; doubled before each further one",
  },
  "retry.jitterMaxMs": {
    env: "RETRY_JITTER_MAX_MS",
    kind: ms(0, 24 * HOUR_MS),
    fallback: 5_000,
    about: "up to so much is added by chance, so that what failed together does not come back together",
  },
  "circuit.window": {
    env: "CIRCUIT_WINDOW",
    kind: { type: "whole", lowest: 1, highest: 100, unit: "calls" },
    fallback: 20,
    about: "the last so many calls of the gateway are judged",
  },
  "circuit.windowMs": {
    env: "CIRCUIT_WINDOW_MS",
    kind: ms(1_000, 24 * HOUR_MS),
    fallback: 2 * MINUTE_MS,
    about: "and none that is older",
  },
  "circuit.failThreshold": {
    env: "CIRCUIT_FAIL_THRESHOLD",
    kind: { type: "whole", lowest: 1, highest: 100, unit: "%" },
    fallback: 50,
    about: "when so many of them failed nothing is sent there; documents stay queued",
  },
  "circuit.cooldownMs": {
    env: "CIRCUIT_COOLDOWN_MS",
    kind: ms(1_000, 24 * HOUR_MS),
    fallback: 30_000,
    about: "how long the gateway is left alone before it is asked whether it is well again",
  },
  "documents.uploads": {
    env: "UPLOADS_DIR",
    kind: { type: "text" },
    about: "the folder of what is uploaded, the same for all servers and workers; unset: uploads in the data folder",
  },
  "documents.results": {
    env: "RESULTS_DIR",
    kind: { type: "text" },
    about: "the folder of what comes of it, likewise; unset: results in the data folder",
  },
  "documents.uploadMaxMb": {
    env: "UPLOAD_MAX_MB",
    kind: megabytes(1),
    fallback: 50,
    about: "one file, at most",
  },
  "documents.uploadMaxFiles": {
    env: "UPLOAD_MAX_FILES",
    kind: { type: "whole", lowest: 1, highest: 200, unit: "files" },
    fallback: 20,
    about: "in one upload, at most",
  },
  "documents.uploadsPerMinute": {
    env: "UPLOADS_PER_MINUTE",
    kind: { type: "whole", lowest: 0, highest: 1_000_000, unit: "uploads" },
    fallback: 10,
    about: "of one account; 0 is without a limit",
  },
  "documents.uploadsAtOnce": {
    env: "UPLOADS_AT_ONCE",
    kind: { type: "whole", lowest: 0, highest: 1_000_000, unit: "uploads" },
    fallback: 4,
    about: "of one account, under way at a time; 0 is without a limit",
  },
  "documents.openMost": {
    env: "UPLOAD_MAX_OPEN",
    kind: { type: "whole", lowest: 0, highest: 10_000_000, unit: "documents" },
    fallback: 10_000,
    about: "of one account that are not converted yet; 0 is without a limit",
  },
  "documents.minFreeMb": {
    env: "UPLOAD_MIN_FREE_MB",
    kind: megabytes(0),
    fallback: 512,
    about:
      "so much room is left on the disk: what would take from it, with what is being uploaded just then, is refused",
  },
  "documents.keepSources": {
    env: "DOCUMENTS_KEEP_SOURCES",
    kind: { type: "duration", shortestMs: MINUTE_MS },
    fallback: 7 * 24 * HOUR_MS,
    about: "how long a PDF is kept after what was done with it has ended; without it nothing can be retried",
  },
  "documents.keepResults": {
    env: "DOCUMENTS_KEEP_RESULTS",
    kind: { type: "duration", shortestMs: MINUTE_MS },
    fallback: 30 * 24 * HOUR_MS,
    about: "how long the XML of a document is kept after it was complete",
  },
} as const satisfies { readonly [path: string]: Setting };
