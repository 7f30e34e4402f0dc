// The documents application: PDFs that become XML behind a conversion gateway.

export { CODES, codeSentence, DOCUMENT_CODES, type DocumentCode, publicCode } from "./codes.ts";
