// How much one conversion may take, and how many there are at one time.

import { InputError } from "../../../kit/index.ts";

export interface GatewayLimits {
  /** Conversions at one time; who comes then is told to come again. */
  readonly atOnce: number;
  /** Of a PDF. */
  readonly mostPdfBytes: number;
  /** Of its XML. */
  readonly mostXmlBytes: number;
  readonly mostPages: number;
  /** Of whatever reads it. */
  readonly memoryBytes: number;
  /** Of computing: as long on a busy machine as on an idle one, so that it says something of the file. */
  readonly cpuSeconds: number;
  /** Of the clock on the wall. */
  readonly wallMs: number;
  /** In which a PDF has to have come. */
  readonly uploadMs: number;
}

const MEGABYTE = 1024 * 1024;

export const GATEWAY_LIMITS: GatewayLimits = {
  atOnce: 2,
  mostPdfBytes: 100 * MEGABYTE,
  mostXmlBytes: 256 * MEGABYTE,
  mostPages: 10_000,
  memoryBytes: 512 * MEGABYTE,
  cpuSeconds: 100,
  wallMs: 150_000,
  uploadMs: 120_000,
};

const LEAST: Partial<GatewayLimits> = { memoryBytes: 64 * MEGABYTE };

export function checkedLimits(limits: Partial<GatewayLimits>): GatewayLimits {
  const all = { ...GATEWAY_LIMITS, ...limits };
  for (const name of Object.keys(GATEWAY_LIMITS) as (keyof GatewayLimits)[]) {
    const least = LEAST[name] ?? 1;
    if (!Number.isSafeInteger(all[name]) || all[name] < least)
      throw new InputError(name, `${name} must be a whole number from ${least}, got ${all[name]}`);
  }
  return all;
}
