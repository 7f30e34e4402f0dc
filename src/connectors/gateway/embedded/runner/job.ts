// What the runner is told, and what it answers with: one line of JSON each.

import type { GatewayCode } from "../../codes.ts";
import type { Mapping } from "../format.ts";

export type Reader = "poppler" | "pdfjs";

export interface RunnerJob {
  readonly reader: Reader;
  readonly version: string;
  /** In its own folder. */
  readonly input: string;
  readonly output: string;
  readonly mapping: Mapping;
  readonly mostBytes: number;
  readonly mostPages: number;
  /** Before a program of its own, so that it ends with the runner. */
  readonly tied: readonly string[];
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
