// A conversion gateway as a stage sees it: a PDF goes in, XML comes out. One way to ask for it is a call that lasts as long as the
// conversion; the other is a job that is started, looked at and fetched.

import type { CallOptions, Seen } from "../kit/index.ts";

export interface GatewayAbout {
  /** What answers there: "sluice-gateway", "grobid". */
  readonly name: string;
  readonly version: string;
  /** What it can make of a PDF, by name; the first is made where nobody chooses. Null where it does not say. */
  readonly mappings: readonly string[] | null;
}

export interface ConvertSource {
  /** The same for every try of one conversion. */
  readonly key: string;
  /** The PDF, on our own disk. */
  readonly file: string;
  /** As its owner calls it; only shown to the gateway, and never a path. */
  readonly name: string;
  readonly mapping: string;
}

export interface ConvertOrder extends ConvertSource {
  /** Where the XML is put: a temporary name of the caller's, who renames it. What lay there is gone. */
  readonly output: string;
}

export interface Converted {
  readonly bytes: number;
  /** Of the XML, in lower-case hex. */
  readonly sha256: string;
  /** Null where the gateway does not say. */
  readonly pages: number | null;
}

/** Fails with faults of codes.ts, with those of our own disk, and with the one its signal was aborted with. */
export interface Gateway {
  /** Whether it is there and able to work: what a breaker probes with. */
  about(signal?: AbortSignal): Promise<GatewayAbout>;
  /** Resolves when all of the XML is at `output`, synced, and well-formed. After a fault there is nothing at `output`. */
  convert(order: ConvertOrder, call?: CallOptions): Promise<Converted>;
}

/** For a gateway that takes its time: a supervised stage's functions, and what fetches the result. */
export interface GatewayJobs {
  about(signal?: AbortSignal): Promise<GatewayAbout>;
  /** The gateway's own name for the job. */
  start(source: ConvertSource, call?: CallOptions): Promise<string>;
  /** What was started under this key, as far as this process can tell; null where it is to be started anew. */
  adopt(key: string, call?: CallOptions): Promise<string | null>;
  /** An answer for every ref. */
  look(refs: readonly string[], call?: CallOptions): Promise<readonly Seen[]>;
  /** As `convert` ends. Gateways forget results soon, some after the first fetch; one that is gone is a `JOB_GONE`. */
  fetch(ref: string, output: string, call?: CallOptions): Promise<Converted>;
  /** True when it is gone, and gone already is as good. False where it cannot be ended now: it is asked again later. */
  cancel(ref: string, call?: CallOptions): Promise<boolean>;
}
