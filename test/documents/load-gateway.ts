// A gateway under load: it flaps, breaks now and then, and refuses some documents for good. What it was sent says which.

import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ScriptedGateway } from "../../sandbox/documents/scripted-gateway.ts";
import type { Said } from "../../sandbox/media/little-server.ts";

/** Stands in a PDF that is to be refused. */
export const REFUSED = "% to be refused";

export class LoadGateway extends ScriptedGateway {
  /** Calls for conversions and for its health, with their times. */
  readonly conversions: number[] = [];
  readonly probes: number[] = [];
  /** Every so many-th conversion breaks. */
  breaksEvery = 9;
  #calls = 0;

  protected override async answer(url: URL, request: IncomingMessage, body: Buffer): Promise<Said> {
    if (url.pathname !== "/process") {
      this.probes.push(performance.now());
      return await super.answer(url, request, body);
    }
    this.conversions.push(performance.now());
    this.#calls += 1;
    if (body.includes(REFUSED)) return { status: 422 };
    if (this.#calls % this.breaksEvery === 0) return { status: 502 };
    await sleep(20);
    return await super.answer(url, request, body);
  }

  /** Down and up again, until it is told to stop; up when this resolves. */
  async flap(signal: AbortSignal, times: { readonly upMs: number; readonly downMs: number }): Promise<void> {
    const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await rest(times.upMs);
      await this.down();
      await rest(times.downMs);
      await this.up();
    }
  }
}
