// Documents on the wire: what was uploaded, how each stands, and what one may do with it. A document's id is its item's.

import { z } from "@hono/zod-openapi";
import { CODES } from "../../../apps/documents/index.ts";
import { itemId, pageQuery, requestId, time } from "../common.ts";

/** `expired`: it was converted, and what came of it was removed when its time was over. */
export const documentStatus = z.enum(["queued", "processing", "complete", "failed", "expired", "cancelled"]);

export const documentCode = z.enum(CODES).openapi("DocumentCode", {
  description: "The canonical codes; whatever is known beyond them stands in the sentence.",
});

const documentError = z
  .object({
    code: documentCode,
    sentence: z.string().openapi({ example: "The converter rejected this document. It is damaged." }),
    advice: z.string(),
  })
  .openapi("DocumentError");

export const documentView = z
  .object({
    id: itemId.openapi({ description: "By which it is also found among the items." }),
    request: requestId,
    name: z.string().openapi({ description: "As whoever uploaded it calls it.", example: "contract.pdf" }),
    owner: z.string().nullable(),
    mapping: z.string().openapi({ description: "What it is made into; the converter knows which there are." }),
    bytes: z.int(),
    sha256: z.string(),
    pages: z.int().nullable().openapi({ description: "Once it is converted, where the converter says." }),
    status: documentStatus,
    sentence: z.string().openapi({ description: "How it stands, until when, and what would end it." }),
    progress: z.number(),
    attemptCount: z.int().openapi({ description: "Of this series; a retry by hand begins a new one." }),
    attemptsMost: z.int(),
    lastAttemptAt: time.nullable(),
    retryAfter: time.nullable().openapi({ description: "Not tried again before; null where nothing is waited for." }),
    createdAt: time,
    queuedAt: time.openapi({ description: "When it was last queued: uploaded, or retried by hand." }),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    error: documentError.nullable().openapi({ description: "Of one that failed; or, while it is retried, its last." }),
    result: z
      .object({ bytes: z.int(), sha256: z.string(), expiresAt: time.nullable() })
      .nullable()
      .openapi({ description: "What it came to; null until then, and where it was removed." }),
    expiredAt: time.nullable().openapi({ description: "When its result was removed." }),
    source: z
      .object({ isThere: z.boolean(), goneAt: time.nullable() })
      .openapi({ description: "The PDF itself: without it nothing can be converted again." }),
    canRetry: z.boolean(),
    retryRefusal: z
      .string()
      .nullable()
      .openapi({ description: "Why it cannot be retried, to be shown beside the button; null where it can." }),
  })
  .openapi("Document");

export const documentShow = z.enum(["all", "open", ...documentStatus.options]);
export const documentsQuery = pageQuery
  .extend({
    show: documentShow.default("all").openapi({ description: "`open`: queued or processing." }),
    owner: z.enum(["me", "everyone"]).default("everyone").openapi({
      description: "Members see only what is theirs, whatever they ask for.",
    }),
    name: z.string().max(200).optional().openapi({ description: "Whose names have this in them." }),
  })
  .strict();

/** What a page has to know before anything is uploaded. */
export const documentsAbout = z
  .object({
    mappings: z.array(z.string()).openapi({ description: "The first is taken where nobody chooses." }),
    limits: z.object({
      fileBytes: z.int().openapi({ description: "The most that one file may have." }),
      files: z.int().openapi({ description: "The most that may be uploaded at once." }),
      uploadsPerMinute: z.int().openapi({ description: "Of one account; 0 where there is no limit." }),
      keepSourcesMs: z.int(),
      keepResultsMs: z.int(),
    }),
    counts: z.object({
      queued: z.int(),
      processing: z.int(),
      complete: z.int(),
      failed: z.int(),
      expired: z.int(),
      cancelled: z.int(),
    }),
    banner: z.string().nullable().openapi({
      description: "To be shown on top while it is so.",
      example: "Converter busy — jobs will resume automatically.",
    }),
    busySince: time.nullable(),
    nextCheckAt: time.nullable().openapi({ description: "When the converter is asked again, while it is away." }),
    uploadRefusal: z
      .string()
      .nullable()
      .openapi({ description: "Why nothing may be uploaded right now, as with a full disk; null where it may." }),
  })
  .openapi("DocumentsAbout");

/** The words of the events of a document. */
export const documentEvent = z
  .object({
    type: z.enum(["queued", "processing", "retry", "complete", "failed", "expired", "cancelled"]),
    at: time,
    meta: z
      .object({
        attempt: z.int().optional(),
        code: documentCode.optional(),
        sentence: z.string().optional(),
        retryAfter: time.optional(),
        tookMs: z.int().optional(),
        bytes: z.int().optional(),
        by: z.string().optional(),
      })
      .openapi({ description: "Small: what belongs to an event of that kind." }),
  })
  .openapi("DocumentEvent");

export const documentPreview = z
  .object({
    text: z.string().openapi({ description: "The beginning of the XML." }),
    bytes: z.int().openapi({ description: "How many the whole of it has." }),
    isWhole: z.boolean(),
  })
  .openapi("DocumentPreview");

export type DocumentAbout = z.infer<typeof documentsAbout>;
export type DocumentView = z.infer<typeof documentView>;
export type DocumentEvent = z.infer<typeof documentEvent>;
export type DocumentPreview = z.infer<typeof documentPreview>;
export type DocumentShow = z.infer<typeof documentShow>;
export type DocumentStatus = z.infer<typeof documentStatus>;
