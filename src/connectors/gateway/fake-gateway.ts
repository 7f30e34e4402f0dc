// The fake gateway: the same functions on a world in memory, with troubles on demand. What it reads and writes are files of the real disk.

import { readFile, rm } from "node:fs/promises";
import { type Fault, transient } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import { type CallOptions, type Trouble, Troubles } from "../kit/index.ts";
import type { GatewayCode } from "./codes.ts";
import { gatewayFault, sourceFault } from "./faults.ts";
import type { Converted, ConvertOrder, Gateway } from "./gateway.ts";
import { GatewayWorld, type GatewayWorldOptions } from "./gateway-world.ts";
import { OutputFile } from "./output-file.ts";
import { statusFault } from "./status-rules.ts";

export type GatewayCall = keyof Gateway;

/** An answer by its status alone. */
export interface ScriptedStatus {
  readonly status: number;
  /** In seconds, as in the header. */
  readonly retryAfter?: number;
}

/** What became of a conversion that was done. */
const LOST = {
  reset: "GW_RESET",
  truncated: "GW_TRUNCATED",
  "web-page": "GW_WEB_PAGE",
  "bad-xml": "GW_BAD_XML",
} as const;

export type GatewayTrouble = Trouble | ScriptedStatus | keyof typeof LOST;

export interface FakeGatewayOptions extends GatewayWorldOptions {
  readonly clock?: Clock;
}

export interface FakeGateway {
  readonly client: Gateway;
  /** The other side, and what it knows. */
  readonly world: GatewayWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: GatewayCall, ...troubles: readonly GatewayTrouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<GatewayCall, number>>;
}

export function fakeGateway(options: FakeGatewayOptions = {}): FakeGateway {
  const { clock = systemClock } = options;
  const world = new GatewayWorld(options);
  const { service } = world;
  const calls: Record<GatewayCall, number> = { about: 0, convert: 0 };
  const troubles = new Troubles<GatewayCall>(service, calls, clock);
  const planned = new Map<GatewayCall, GatewayTrouble[]>();

  /** Acts, unless a trouble comes before it; what was done although nobody heard of it is done when this rejects. */
  async function ask<T>(call: GatewayCall, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
    const next = troubles.isDown ? undefined : planned.get(call)?.shift();
    let acting: Promise<T> | undefined;
    const begin = () => {
      acting = act();
      return acting;
    };
    try {
      if (isOfTheKit(next)) {
        if (next !== undefined) troubles.plan(call, next);
        return await troubles.answer(call, signal, begin);
      }
      calls[call] += 1;
      signal?.throwIfAborted();
      if (typeof next === "object") throw answered(service, next);
      await begin();
      throw lost(service, LOST[next]);
    } catch (error) {
      await acting?.catch(() => undefined);
      signal?.throwIfAborted();
      throw gatewayFault(error, service);
    }
  }

  return {
    client: {
      about: (signal) =>
        ask("about", signal, async () => ({ name: service, version: "1.0.0", mappings: world.mappings })),
      async convert(order, call = {}) {
        try {
          return await ask("convert", call.signal, () => convert(world, order, call));
        } catch (error) {
          await rm(order.output, { force: true });
          throw error;
        }
      },
    },
    world,
    calls,
    trouble: (call, ...more) => planned.set(call, [...(planned.get(call) ?? []), ...more]),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

async function convert(world: GatewayWorld, order: ConvertOrder, { signal }: CallOptions): Promise<Converted> {
  const pdf = await readFile(order.file).catch((error: unknown) => {
    throw sourceFault(error);
  });
  signal?.throwIfAborted();
  const given = Promise.withResolvers<never>();
  const giveUp = () => given.reject(signal?.reason);
  signal?.addEventListener("abort", giveUp);
  try {
    // The other side goes on with what nobody waits for any more.
    const xml = await Promise.race([world.convert(order, pdf), given.promise]);
    const output = await OutputFile.create(order.output);
    await output.write(Buffer.from(xml));
    return { ...(await output.finish()), pages: 1 };
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

function isOfTheKit(trouble: GatewayTrouble | undefined): trouble is Trouble | undefined {
  if (typeof trouble === "object") return !("status" in trouble);
  return trouble === undefined || !(trouble in LOST);
}

function answered(service: string, { status, retryAfter }: ScriptedStatus): Fault {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return statusFault({ service, what: "converting", status, headers, nowMs: 0, rules: {} });
}

const lost = (service: string, code: GatewayCode): Fault =>
  transient(code, `${service} has converted it, and its answer was not one`, { service });
