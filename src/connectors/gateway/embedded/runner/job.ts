// What the runner is told, and what it answers with: one line of JSON each.

import type { GatewayCode } from "../../codes.ts";
import type { Mapping } from "../format.ts";

export type Reader = "poppler" | "pdfjs";

/** Open files that the runner is handed, by their descriptors. The PDF more than once: who reads moves the place in it. */
export const HANDED = { xml: 3, pdf: 4, forInfo: 5, forText: 6 } as const;

export interface RunnerJob {
  readonly reader: Reader;
  readonly version: string;
  readonly mapping: Mapping;
  readonly mostBytes: number;
  readonly mostPages: number;
  /** Before a program of its own, so that it ends with the runner. */
  readonly tied: readonly string[];
}

/** Whether its code can be read where it runs, and nothing else. */
export interface RunnerTry {
  readonly isTry: true;
  readonly reader: Reader;
}

export interface Refusal {
  readonly code: GatewayCode;
  readonly message: string;
}

export type RunnerAnswer = { readonly pages: number } | { readonly refused: Refusal };

/** Ends a conversion, with what is told of it. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(code: GatewayCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}
