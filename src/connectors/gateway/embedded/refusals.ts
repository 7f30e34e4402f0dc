// What went wrong → what whoever asked is told: a status, a code and one sentence, and nothing of this machine.

import type { GatewayCode } from "../codes.ts";
import { NotTaken } from "./receive.ts";
import { Refused } from "./runner/job.ts";

export interface Told {
  readonly status: number;
  readonly code: GatewayCode;
  readonly message: string;
  readonly retrySeconds?: number;
}

/** Turned away before anything was looked at. */
export class Turned extends Error {
  readonly told: Told;

  constructor(status: number, code: GatewayCode, message: string, retrySeconds?: number) {
    super(message);
    this.told = { status, code, message, ...(retrySeconds === undefined ? {} : { retrySeconds }) };
  }
}

/** What a file is refused for is 422. */
const STATUSES: Partial<Record<GatewayCode, number>> = { GW_TIMEOUT: 504, DISK_FULL: 507, INVALID_MAPPING: 400 };
const FULL = new Set(["ENOSPC", "EDQUOT"]);

export function refusalOf(error: unknown): Told {
  if (error instanceof Turned) return error.told;
  if (error instanceof NotTaken) return { status: error.status, code: error.code, message: error.message };
  if (error instanceof Refused) {
    const { code, message } = error.refusal;
    return { status: STATUSES[code] ?? 422, code, message };
  }
  const errno = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof errno === "string" && FULL.has(errno))
    return { status: 507, code: "DISK_FULL", message: "the gateway's disk is full" };
  return { status: 500, code: "GW_FAILED", message: "the conversion failed, and it is not known why" };
}
