// A call to a service because somebody wants to know whether it works: with its own probe and this process's client, on nobody's behalf.
// It says nothing about the breaker, which goes by what is called in earnest.

import { type Clock, SluiceError } from "../../kit/index.ts";
import { toFault } from "../pipeline/fault.ts";
import { inTime } from "./in-time.ts";
import { KnownServices } from "./known-services.ts";
import type { Registry } from "./registry.ts";
import { type GivenClients, ServiceClients } from "./service-clients.ts";

/** What came back. */
export interface ServiceTest {
  readonly ok: boolean;
  readonly tookMs: number;
  readonly code: string | null;
  readonly message: string | null;
}

interface Ports {
  readonly clock: Clock;
  readonly services?: GivenClients;
}

/** Somebody waits for it in front of a page. */
const LONGEST_MS = 10_000;

/** The call, not made yet. Refused where this process cannot make it. */
export function serviceTest(ports: Ports, registry: Registry, name: string): () => Promise<ServiceTest> {
  const { clock, services = {} } = ports;
  const clients = new ServiceClients(services);
  if (!clients.has(name))
    throw refusal(
      `this server was started without a client of ${name}; the workers have it, and call it when they work`,
    );
  const stages = registry.pipelineIds().flatMap((id) => registry.pipelineOf(id)?.stages ?? []);
  const { probe } = new KnownServices(clock, stages).rule(name);
  if (probe === undefined) throw refusal(`${name} has no probe in its code; the calls of its work show how it is`);
  return async () => {
    const began = clock.monotonic();
    // The client was given under this service's name; the type was forgotten on the way.
    const came = await inTime(
      clock,
      `the test of ${name}`,
      LONGEST_MS,
      asPromise(() => probe(clients.client(name) as never)),
    )
      .then(() => ({ ok: true, code: null, message: null }))
      .catch((error: unknown) => {
        const { code, message } = toFault(error);
        return { ok: false, code, message };
      });
    return { ...came, tookMs: Math.max(0, clock.monotonic() - began) };
  };
}

const asPromise = async <Result>(work: () => Promise<Result>) => await work();
const refusal = (why: string) => new SluiceError("REFUSED", why);
