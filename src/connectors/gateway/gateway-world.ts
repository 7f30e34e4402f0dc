// The other side of the fakes: what it makes of a PDF, and what really happened.

import { Fault } from "../../engine/index.ts";
import { GATEWAY_CODES, type GatewayCode } from "./codes.ts";
import type { ConvertSource } from "./gateway.ts";

export interface GatewayTruth {
  /** Calls that reached it, by key. */
  readonly asked: ReadonlyMap<string, number>;
  /** Times a PDF was really converted, by key. */
  readonly converted: ReadonlyMap<string, number>;
  /** Keys that were converted more than once. */
  readonly duplicates: readonly string[];
  /** The most that were in its hands at one time. */
  readonly mostAtOnce: number;
}

export interface GatewayWorldOptions {
  readonly service?: string;
  readonly mappings?: readonly string[];
}

export class GatewayWorld {
  readonly service: string;
  readonly mappings: readonly string[];
  readonly #asked = new Map<string, number>();
  readonly #converted = new Map<string, number>();
  readonly #refused = new Map<string, GatewayCode>();
  #held: PromiseWithResolvers<void> | undefined;
  #atOnce = 0;
  #mostAtOnce = 0;

  constructor({ service = "fake-gateway", mappings = ["layout", "text"] }: GatewayWorldOptions = {}) {
    this.service = service;
    this.mappings = mappings;
  }

  truth(): GatewayTruth {
    return {
      asked: new Map(this.#asked),
      converted: new Map(this.#converted),
      duplicates: [...this.#converted].filter(([, times]) => times > 1).map(([key]) => key),
      mostAtOnce: this.#mostAtOnce,
    };
  }

  /** Whatever is asked under this key ends so; null takes it back. */
  refuse(key: string, code: GatewayCode | null): void {
    if (code === null) this.#refused.delete(key);
    else this.#refused.set(key, code);
  }

  /** Conversions take their time until what is returned is called. */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      if (this.#held === held) this.#held = undefined;
      held.resolve();
    };
  }

  /** Throws as a gateway refuses what no trying again makes better. */
  take({ key, mapping }: Pick<ConvertSource, "key" | "mapping">, pdf: Uint8Array): void {
    count(this.#asked, key);
    const refused = this.#refused.get(key);
    if (refused !== undefined) throw this.#fault(refused, "as it was told to");
    if (!this.mappings.includes(mapping)) throw this.#fault("INVALID_MAPPING", "it knows no such mapping");
    if (!isPdf(pdf)) throw this.#fault("UNSUPPORTED_TYPE", "this is no PDF");
  }

  /** What a PDF becomes; the same for the same file and mapping. */
  async convert(source: Pick<ConvertSource, "key" | "mapping">, pdf: Uint8Array): Promise<string> {
    this.take(source, pdf);
    this.#atOnce += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#atOnce);
    try {
      await this.#held?.promise;
      count(this.#converted, source.key);
      return madeOf(source.mapping, pdf);
    } finally {
      this.#atOnce -= 1;
    }
  }

  #fault(code: GatewayCode, why: string): Fault {
    const { service } = this;
    const wait = code === "GW_BUSY" || code === "GW_RATE_LIMITED" ? { retryAfter: "1m" as const } : {};
    return new Fault(GATEWAY_CODES[code], code, `${service} refuses it: ${why}`, { service, ...wait });
  }
}

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
}

function madeOf(mapping: string, pdf: Uint8Array): string {
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<document mapping="${mapping.replaceAll(/[<&"]/g, "")}">`;
  return `${head}<bytes>${pdf.byteLength}</bytes></document>\n`;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
