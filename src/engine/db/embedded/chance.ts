// Names nobody else has chosen, and a password nobody can guess. Not injected: no run is replayed from a real server's files.
import { systemRandom } from "../../../kit/index.ts";

export function uniqueName(): string {
  return `${hex()}${hex()}`;
}

/** 252 bits, and only characters that need no escaping in a URL. */
export function newPassword(): string {
  return `${hex()}${hex()}${hex()}${hex()}`;
}

function hex(): string {
  return systemRandom.token().toString(16).padStart(16, "0");
}
