// The ten codes that people and programs are told, whatever went wrong inside: a sentence, and what can be done. Which inner code
// is told as which is decided here and nowhere else; whether something is tried again follows the fault, never one of these. Pure.

export interface CodeWords {
  readonly sentence: string;
  readonly advice: string;
  /** Whether it is tried again by itself, while attempts are left. */
  readonly retry: boolean;
}

export const DOCUMENT_CODES = {
  NOT_PDF: {
    sentence: "This is not a PDF.",
    advice: "Export it as PDF and upload that.",
    retry: false,
  },
  TOO_LARGE: {
    sentence: "This is larger than may be uploaded.",
    advice: "Split it, or ask an admin to raise the limit.",
    retry: false,
  },
  GW_4XX: {
    sentence: "The converter rejected this document.",
    advice: "It may be damaged or protected: open it, save it anew without a password, and upload that.",
    retry: false,
  },
  GW_5XX: {
    sentence: "The converter had a problem.",
    advice: "Nothing, while it is tried again; afterwards retry it, or ask an admin to look at the converter.",
    retry: true,
  },
  GW_TIMEOUT: {
    sentence: "The converter took too long.",
    advice: "Nothing, while it is tried again; afterwards split the document, or retry it when there is less to do.",
    retry: true,
  },
  IO_ERROR: {
    sentence: "The file could not be read or saved.",
    advice: "Ask an admin to look at the disk, then retry it.",
    retry: true,
  },
  NOT_READY: {
    sentence: "It is not converted yet.",
    advice: "Wait until it is complete.",
    retry: false,
  },
  EXPIRED: {
    sentence: "It was removed when its time was over.",
    advice: "Upload the document again.",
    retry: false,
  },
  FORBIDDEN: {
    sentence: "This account may not do that.",
    advice: "Ask an admin for the role.",
    retry: false,
  },
  UNKNOWN: {
    sentence: "Something unexpected happened.",
    advice: "Retry it; if it comes back, send its id to whoever runs this server.",
    retry: true,
  },
} as const satisfies Readonly<Record<string, CodeWords>>;

export type DocumentCode = keyof typeof DOCUMENT_CODES;

export const CODES = Object.keys(DOCUMENT_CODES) as readonly DocumentCode[]; // Object.keys forgets the names

const isDocumentCode = (code: string): code is DocumentCode => Object.hasOwn(DOCUMENT_CODES, code);

/** What stages, connectors and the engine call it. */
const TOLD: ReadonlyMap<string, DocumentCode> = new Map([
  ...told("GW_4XX", [
    ...["PARSE_ERROR", "VALIDATION_ERROR", "INVALID_MAPPING", "PASSWORD_PROTECTED", "NO_CONTENT", "TOO_COMPLEX"],
    ...["INPUT_TOO_LARGE", "UNSUPPORTED_TYPE"],
  ]),
  ...told("GW_5XX", [
    ...["GW_UNAVAILABLE", "GW_BUSY", "GW_RATE_LIMITED", "GW_RESET", "GW_TRUNCATED", "GW_WEB_PAGE", "GW_BAD_XML"],
    ...["GW_ANSWER_TOO_LARGE", "GW_BAD_ANSWER", "GW_FAILED", "JOB_GONE", "AUTH", "NOT_REACHED", "TLS", "RESET"],
    ...["SERVICE_DOWN", "RATE_LIMITED", "VANISHED", "FAILED", "BAD_LOOK", "NO_CLIENT", "OTHER_GATEWAY"],
  ]),
  ...told("GW_TIMEOUT", ["TIMEOUT", "STALLED", "DEADLINE"]),
  ...told("IO_ERROR", ["MEMORY_ERROR", "DISK_FULL", "SOURCE_CHANGED", "NOT_FETCHED"]),
  ...told("EXPIRED", ["SOURCE_GONE"]),
]);

function told(code: DocumentCode, inner: readonly string[]): [string, DocumentCode][] {
  return inner.map((one) => [one, code]);
}

/** An errno, as connectors hand them on: the disk's own words. */
const ERRNO = /^E[A-Z]{2,15}$/;

export function publicCode(inner: string): DocumentCode {
  if (isDocumentCode(inner)) return inner;
  return TOLD.get(inner) ?? (ERRNO.test(inner) ? "IO_ERROR" : "UNKNOWN");
}

/** What is known beyond the code, in words of ours: what others said may tell of paths and addresses. */
interface InnerWords {
  /** Said after the code's own sentence. */
  readonly more?: string;
  /** Instead of the code's own, which would be about something else. */
  readonly sentence?: string;
  readonly advice?: string;
}

const INNER: ReadonlyMap<string, InnerWords> = new Map<string, InnerWords>(
  Object.entries({
    PASSWORD_PROTECTED: { more: "It cannot be opened without a password." },
    PARSE_ERROR: { more: "It is damaged, or no PDF behind its first bytes." },
    NO_CONTENT: { more: "There is nothing in it to convert." },
    TOO_COMPLEX: {
      more: "It has more pages, or comes to more, than a conversion may have.",
      advice: "Split it, or ask an admin to raise what a conversion may take.",
    },
    INPUT_TOO_LARGE: {
      more: "It is larger than the converter takes.",
      advice: "Split it, or ask an admin to raise the converter's limit.",
    },
    UNSUPPORTED_TYPE: { more: "The converter says that it is no PDF." },
    INVALID_MAPPING: {
      more: "The converter does not have the mapping that was asked for.",
      advice: "Upload it again with one of the mappings that are offered.",
    },
    MEMORY_ERROR: {
      sentence: "Converting it takes more memory than a conversion may have.",
      advice: "Split it, or ask an admin to give conversions more memory, then retry it.",
    },
    NOT_FETCHED: {
      sentence: "The file could not be fetched from its address.",
      advice: "Download it yourself, and upload that.",
    },
    DISK_FULL: { more: "There is no room on the disk." },
    SOURCE_GONE: { more: "Its file was removed." },
    AUTH: { more: "The converter refuses this server's credentials." },
    CRASH_LOOP: { more: "It brought down the process that worked on it, three times." },
  }),
);

/** One line for people; `code` is the inner one. */
export function codeSentence(inner: string): string {
  const { more, sentence = DOCUMENT_CODES[publicCode(inner)].sentence } = INNER.get(inner) ?? {};
  return more === undefined ? sentence : `${sentence} ${more}`;
}

/** A failure is stored under its public code; its sentence is what remembers the inner one. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  [...INNER].flatMap(([inner, { advice }]) => (advice === undefined ? [] : [[codeSentence(inner), advice]])),
);

export interface ToldWords {
  readonly code: DocumentCode;
  readonly sentence: string;
  readonly advice: string;
}

/**
 * What is stored of a fault, as people read it. What the engine or others said of a code that is not ours is not told; of ours the
 * message is ours too.
 */
export function toldWords(stored: string, message: string | null): ToldWords {
  const code = publicCode(stored);
  const isOurs = code === stored && code !== "UNKNOWN" && message !== null;
  const sentence = isOurs ? message : codeSentence(stored);
  return { code, sentence, advice: ADVICE.get(sentence) ?? DOCUMENT_CODES[code].advice };
}
