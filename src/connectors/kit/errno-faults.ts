// Errors of the operating system about files and resources → faults. Those of connections are in http-faults.ts.

import { Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";

export const DISK_FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const REFUSED = new Set(["EACCES", "EPERM", "EROFS"]);
/** This name cannot become right by waiting. */
const NO_SUCH = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP", "EINVAL", "EFBIG", "EXDEV"]);
/** Too few of something on this machine: nothing the item or a service did. */
const SHORT = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);
const PASSING = new Set(["EBUSY", "EIO", "ETXTBSY", "ENOTEMPTY", "ETIMEDOUT", "ESTALE", "EINTR"]);

/** The `code` of an error of Node, also of one that wraps others (a host with two addresses that both refused). */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** `what` begins the message: "reading the source". */
export function errnoFault(error: unknown, what: string, service?: string): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  const options = { ...(service === undefined ? {} : { service }), cause: error };
  const text = `${what}: ${safeText(error, 500)}`;
  if (code === undefined) return transient("UNKNOWN", text, options);
  if (DISK_FULL_CODES.has(code)) return unavailable("DISK_FULL", text, options);
  if (REFUSED.has(code)) return permanent("PERMISSION_DENIED", text, { ...options, breaker: "none" });
  if (NO_SUCH.has(code)) return permanent(code, text, options);
  if (SHORT.has(code)) return unavailable("NO_RESOURCES", text, { ...options, breaker: "none" });
  if (PASSING.has(code)) return transient(code, text, options);
  return transient("UNKNOWN", text, options);
}
