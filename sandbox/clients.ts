// What speaks to the services of the sandbox, as a worker is given it.

import { z } from "zod";
import { guardedClient, httpJobs, type ServiceClient } from "../src/connectors/index.ts";
import { Fault, unavailable } from "../src/engine/index.ts";

/** The port of each service, by its name. */
export type Ports = { readonly [service: string]: number };

export interface Maker extends ServiceClient {
  /** Whether what it says it made is there. */
  has(file: string): Promise<boolean>;
}

export interface Source {
  /** How many megabytes the piece has that begins there; 0 where it has none at the moment. */
  piece(film: string, from: number, signal: AbortSignal): Promise<number>;
}

/** On a loopback nothing takes long, and a demo is watched. */
const LIMITS = { connectMs: 2_000, headersMs: 3_000, idleMs: 3_000, totalMs: 6_000 };
const FULL_AGAIN = "5s";
const piece = z.object({ megabytes: z.number() });

export function clientsFor(ports: Ports) {
  const at = (service: string) => {
    const port = ports[service];
    if (port === undefined) throw new Error(`nobody said where ${service} is`);
    return { service, baseUrl: `http://127.0.0.1:${port}/`, limits: LIMITS };
  };
  return {
    source: sourceAt(at("source")),
    converter: makerAt(at("converter")),
    publisher: (name: string) => makerAt(at(`publisher:${name}`)),
  };
}

interface Where {
  readonly service: string;
  readonly baseUrl: string;
  readonly limits: typeof LIMITS;
}

function sourceAt(where: Where): Source {
  const http = guardedClient({ ...where, egress: "lan" });
  return {
    async piece(film, from, signal) {
      const url = `films/${encodeURIComponent(film)}?from=${from}`;
      return (await http.json({ url, signal }, piece)).megabytes;
    },
  };
}

function makerAt(where: Where): Maker {
  const http = guardedClient({ ...where, egress: "lan" });
  const jobs = httpJobs(where);
  return {
    ...jobs,
    start: (work, call) => jobs.start(work, call).catch(soon),
    async has(file) {
      const answer = await http.send({ url: `files/${encodeURIComponent(file)}` });
      if (answer.status !== 200 && answer.status !== 404) throw http.faultOf(answer, "GET files/…");
      return answer.status === 200;
    },
  };
}

/** A disk that is full is left alone for minutes elsewhere; here somebody watches. */
function soon(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== "DISK_FULL") throw error;
  const { message, service } = error;
  const named = service === undefined ? {} : { service };
  throw unavailable("DISK_FULL", message, { ...named, retryAfter: FULL_AGAIN, cause: error });
}
