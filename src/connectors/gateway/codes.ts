// What can go wrong at a gateway, by code. An application tells people something simpler; whether to try again follows the fault.

export const GATEWAY_CODES = {
  /** Never reached, or a 503 that does not say for how long. */
  GW_UNAVAILABLE: "unavailable",
  /** Told to wait: a 503 with Retry-After, or of a gateway for which that is normal. */
  GW_BUSY: "unavailable",
  GW_RATE_LIMITED: "unavailable",
  /** Our own credentials were refused. */
  AUTH: "unavailable",
  /** Its disk, or the one the XML is put on. */
  DISK_FULL: "unavailable",
  /** No answer in time, after the PDF was sent. */
  GW_TIMEOUT: "transient",
  GW_RESET: "transient",
  /** The XML ended before its end. */
  GW_TRUNCATED: "transient",
  /** A page of a login, a proxy or an error, where XML was due. */
  GW_WEB_PAGE: "transient",
  /** Not well-formed, or with a DOCTYPE. */
  GW_BAD_XML: "transient",
  GW_ANSWER_TOO_LARGE: "transient",
  /** Anything else that was not agreed upon. */
  GW_BAD_ANSWER: "transient",
  /** 500, 502 and others above; the status is in the message. */
  GW_FAILED: "transient",
  /** The file to convert was changed while it was sent. */
  SOURCE_CHANGED: "transient",
  /** Of a job: its result was fetched or dropped already, or its gateway has forgotten it. */
  JOB_GONE: "transient",
  /** The PDF cannot be read: damaged, or no PDF behind its first bytes. */
  PARSE_ERROR: "permanent",
  /** It cannot be opened without a password. */
  PASSWORD_PROTECTED: "permanent",
  /** It could be read, and there was nothing in it to convert. */
  NO_CONTENT: "permanent",
  /** It needs more memory than a conversion may have. */
  MEMORY_ERROR: "permanent",
  /** More pages, or a larger result, than a conversion may have. */
  TOO_COMPLEX: "permanent",
  /** The gateway takes no file of that size. */
  INPUT_TOO_LARGE: "permanent",
  /** The gateway says that this is no PDF. */
  UNSUPPORTED_TYPE: "permanent",
  INVALID_MAPPING: "permanent",
  /** Any other refusal of what was asked. */
  VALIDATION_ERROR: "permanent",
  /** The file to convert is not there any more. */
  SOURCE_GONE: "permanent",
} as const;

export type GatewayCode = keyof typeof GATEWAY_CODES;

export const isGatewayCode = (code: string): code is GatewayCode => Object.hasOwn(GATEWAY_CODES, code);
