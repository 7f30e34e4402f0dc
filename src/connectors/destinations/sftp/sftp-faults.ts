// What went wrong over SSH and SFTP → faults. By level, code and status, never by text.
//
//   never reached, no answer to the greeting    unavailable NOT_REACHED       breaker: failure
//   key or password refused                     unavailable AUTH              open
//   another host key than was pinned            permanent HOST_KEY_CHANGED    none
//   lost while something was under way          transient CONNECTION_LOST     failure
//   3 permission denied                         permanent PERMISSION_DENIED   none
//   2 no such file                              permanent NO_SUCH_FILE        success
//   4 failure, 8 not supported, others          transient SFTP_<status>       failure
//
// A disk that is full is a plain "failure" in version 3 of the protocol: room.ts finds out.

import { Fault, permanent, transient, unavailable } from "../../../engine/index.ts";
import { InputError, safeText } from "../../../kit/index.ts";
import { connectionFault } from "../../kit/index.ts";

const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;

interface Told {
  readonly code?: unknown;
  readonly level?: unknown;
}

/** Before anything could be asked. */
export function connectFault(error: unknown, { service, host }: { readonly service: string; readonly host: string }) {
  if (error instanceof Fault || error instanceof InputError) return error;
  const { level, code } = told(error);
  if (level === "client-authentication")
    return unavailable("AUTH", `${service} refused the key or the password`, { service, cause: error });
  if (typeof code === "string" || level === undefined)
    return connectionFault(error, "connect", { service, what: `connecting to ${host}` }, "lan");
  return notReached(service, safeText(error, 300), error);
}

export function notReached(service: string, why: string, cause?: unknown): Fault {
  return unavailable("NOT_REACHED", `${service} cannot be reached: ${why}`, { service, cause });
}

export function lostFault(service: string, cause?: unknown): Fault {
  return transient("CONNECTION_LOST", `the connection to ${service} was lost`, { service, cause });
}

/** `what` begins the message: "opening the part". */
export function sftpFault(error: unknown, what: string, service: string): Fault {
  if (error instanceof Fault) return error;
  const { code } = told(error);
  const text = `${what} at ${service}: ${safeText(error, 300)}`;
  const options = { service, cause: error };
  if (code === NO_SUCH_FILE) return permanent("NO_SUCH_FILE", text, options);
  if (code === PERMISSION_DENIED) return permanent("PERMISSION_DENIED", text, { ...options, breaker: "none" });
  return transient(typeof code === "number" ? `SFTP_${code}` : "UNKNOWN", text, options);
}

export const isNoSuchFile = (error: unknown): boolean => error instanceof Fault && error.code === "NO_SUCH_FILE";

function told(error: unknown): Told {
  return typeof error === "object" && error !== null ? (error as Told) : {};
}
