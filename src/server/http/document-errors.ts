// Codes of documents: those that answers carry, and those of a conversion that failed. What they mean is the application's to say.

import { DOCUMENT_CODES, type DocumentCode } from "../../apps/documents/index.ts";

export const DOCUMENT_ERRORS = {
  NOT_PDF: {
    status: 415,
    sentence: "None of the files is a PDF, by its first bytes; nothing was stored.",
    retry: false,
    advice: DOCUMENT_CODES.NOT_PDF.advice,
  },
  NOT_READY: {
    status: 409,
    sentence: "The document is not converted yet, or nothing came of it.",
    retry: true,
    advice: DOCUMENT_CODES.NOT_READY.advice,
  },
  EXPIRED: {
    status: 410,
    sentence: "The document's file was removed when its time was over.",
    retry: false,
    advice: DOCUMENT_CODES.EXPIRED.advice,
  },
  IO_ERROR: {
    status: 507,
    sentence: "A file could not be read or saved: the disk is full or refuses; of an item, likewise.",
    retry: true,
    advice: DOCUMENT_CODES.IO_ERROR.advice,
  },
} as const;

/** Those that no answer has. */
const OF_ITEMS: readonly DocumentCode[] = ["GW_4XX", "GW_5XX", "GW_TIMEOUT"];

export function documentFailures() {
  return OF_ITEMS.map((code) => ({ code, of: "item" as const, status: null, ...DOCUMENT_CODES[code] }));
}
