// The service outside that the pipelines call: idempotent by key, with a memory of its own that nothing in the run can
// damage. It can end or stop a worker from within a call, which is the worst moment there is.

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Random } from "../../src/kit/index.ts";
import type { ServiceCall } from "./evidence.ts";

/** What a handler sends. */
export interface CallBody {
  readonly kind: "effect" | "start";
  readonly key: string;
  readonly item: string;
  readonly stage: string;
  readonly tag: string;
  readonly needsMending: boolean;
  readonly worker: string;
}

export type CallAnswer = "applied" | "already" | "busy" | "refused";

export interface Service {
  readonly port: number;
  readonly calls: ServiceCall[];
  /** From now on calls for this tag are not refused. */
  mend(tag: string): void;
  /** Calls from this worker that have not been answered yet. */
  inHand(worker: string): number;
  /** Does `act` in the middle of the next call that comes from this worker. */
  ambush(worker: string, act: () => void): void;
  /** True when it had not happened yet, and now will not. */
  callOff(worker: string): boolean;
  stop(): Promise<void>;
}

const BUSY_SHARE = 0.01;
/** Long enough that every worker has a few in hand at any moment: a kill that hits nobody's call proves little. */
const SHORTEST_MS = 10;
const LONGEST_MS = 150;

/** `finished`: a started piece of work is over and whoever asked for it wants to know. */
export async function startService(random: Random, finished: (key: string) => void): Promise<Service> {
  const calls: ServiceCall[] = [];
  const applied = new Set<string>();
  const mended = new Set<string>();
  const ambushes = new Map<string, () => void>();
  const inHand = new Map<string, number>();

  function take(body: CallBody): CallAnswer {
    const { kind, key, item, stage } = body;
    if (body.needsMending && !mended.has(body.tag)) return "refused";
    if (!applied.has(key) && random.fraction() < BUSY_SHARE) return "busy";
    const isNew = !applied.has(key);
    applied.add(key);
    calls.push({ kind, key, item, stage, at: Date.now(), applied: isNew });
    if (kind === "start" && isNew) setTimeout(() => finished(key), 50 + random.fraction() * 600);
    return isNew ? "applied" : "already";
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const answer = take(body);
    inHand.set(body.worker, (inHand.get(body.worker) ?? 0) + 1);
    response.once("close", () => inHand.set(body.worker, (inHand.get(body.worker) ?? 1) - 1));
    const act = ambushes.get(body.worker);
    ambushes.delete(body.worker);
    act?.();
    setTimeout(() => response.end(answer), SHORTEST_MS + random.fraction() * (LONGEST_MS - SHORTEST_MS));
  });
  // A connection that idles must not be closed under a request that is on its way.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  return {
    port: address.port,
    calls,
    mend: (tag) => void mended.add(tag),
    inHand: (worker) => inHand.get(worker) ?? 0,
    ambush: (worker, act) => void ambushes.set(worker, act),
    callOff: (worker) => ambushes.delete(worker),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<CallBody> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  // Only outside.ts speaks to this port.
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as CallBody;
}
