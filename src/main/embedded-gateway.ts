// The gateway that runs beside an application of documents: kept running, on this machine alone, found by its folder.

import { mkdir } from "node:fs/promises";
import { systemClock } from "../kit/index.ts";
import { forkSelf, type Keeper, keepRunning } from "./keeper.ts";
import type { Log } from "./log.ts";

export interface KeptGateway {
  readonly folder: string;
  readonly logLevel: string;
  /** Further ones of `sluice gateway`: limits, mostly. */
  readonly flags?: readonly string[];
}

/** Whoever wants to ask it finds its address with `findGateway(folder)`; it may be another after each of its lives. */
export async function startGateway(gateway: KeptGateway, log: Log): Promise<Keeper> {
  await mkdir(gateway.folder, { recursive: true });
  const args = gatewayArgs(gateway);
  return keepRunning({ name: "gateway", start: () => forkSelf(args), clock: systemClock, log });
}

/** Asked on any port: the address stands in its folder. Pure. */
export function gatewayArgs({ folder, logLevel, flags = [] }: KeptGateway): string[] {
  const place = ["--folder", folder, "--host", "127.0.0.1", "--port", "0"];
  return ["gateway", ...place, "--log-level", logLevel, ...flags];
}
