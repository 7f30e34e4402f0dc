// The one way out over HTTP. A client speaks for one service and never to an address its policy refuses, never without
// limits, and fails only with faults.

import { Fault, transient } from "../../engine/index.ts";
import { type Clock, InputError, systemClock } from "../../kit/index.ts";
import { type Check, readJson } from "./check.ts";
import { CookieJar } from "./cookies.ts";
import { Deadline } from "./deadline.ts";
import { type Resolve, systemResolve } from "./dial.ts";
import { type EgressPolicy, egressRefusal } from "./egress.ts";
import { type Answer, exchange, type Hop, type Limits } from "./exchange.ts";
import { checkedBase, type GuardedRequest, toHop } from "./guarded-request.ts";
import { statusFault } from "./http-faults.ts";
import { nextHop, REDIRECT_STATUSES, type Redirects } from "./redirects.ts";

export interface GuardedClientOptions {
  /** As it is called in faults and by its breaker: "indexer:one". */
  readonly service: string;
  readonly egress: EgressPolicy;
  /** Every request stays below it. Without one, requests name whole addresses. */
  readonly baseUrl?: string;
  /** Sent with every request: credentials, mostly. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly redirects?: Redirects;
  /** Send back what the service sets. */
  readonly cookies?: boolean;
  readonly ca?: string;
  /** For a service whose 503 only says that it is busy: how long to leave it alone then. */
  readonly busyWaitMs?: number;
  readonly clock?: Clock;
  /** The wall clock, for dates in headers. */
  readonly now?: () => number;
  readonly resolve?: Resolve;
}

export interface GuardedClient {
  readonly service: string;
  /** Any status is an answer; faults are for what never became one. */
  send(request: GuardedRequest): Promise<Answer>;
  /** A status from 200 to 299 or a fault. */
  ok(request: GuardedRequest): Promise<Answer>;
  json<T>(request: GuardedRequest, check: Check<T>): Promise<T>;
  /** The fault that an answer of 400 and above stands for. */
  faultOf(answer: Answer, what: string): Fault;
  forgetCookies(): void;
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 120_000,
  answerBytes: 10 * 1024 * 1024,
  requestBytes: 10 * 1024 * 1024,
};

export function guardedClient(options: GuardedClientOptions): GuardedClient {
  const { service, redirects = "none", clock = systemClock, now = Date.now } = options;
  const limits = checkedLimits({ ...DEFAULT_LIMITS, ...options.limits });
  const base = options.baseUrl === undefined ? undefined : checkedBase(options.baseUrl);
  const jar = options.cookies === true ? new CookieJar(now) : undefined;

  function once(hop: Hop, what: string, egress: EgressPolicy, signal: AbortSignal): Promise<Answer> {
    return exchange(withCookies(hop, jar), {
      whom: { service, what },
      egress,
      refusal: (address) => egressRefusal(egress, address),
      resolve: options.resolve ?? systemResolve,
      ca: options.ca,
      limits,
      clock,
      signal,
    });
  }

  async function follow(first: Hop, what: string, signal: AbortSignal): Promise<Answer> {
    let hop = first;
    let { egress } = options;
    // Ends by itself: `nextHop` refuses one hop too many.
    for (let followed = 0; followed <= MOST_HOPS; followed += 1) {
      const answer = await once(hop, what, egress, signal);
      jar?.store(hop.url, answer.headers["set-cookie"] ?? []);
      if (redirects === "as-answer" || !REDIRECT_STATUSES.has(answer.status)) return answer;
      const next = nextHop(hop, { status: answer.status, location: answer.headers.location }, redirects, followed);
      if ("refused" in next)
        throw transient("REDIRECTED", `${service} answers ${what} with a redirect: it ${next.refused}`, { service });
      hop = next.go;
      egress = next.egress ?? egress;
    }
    throw transient("REDIRECTED", `${service} redirects ${what} without end`, { service });
  }

  async function send(request: GuardedRequest): Promise<Answer> {
    const hop = toHop(request, { service, base, headers: options.headers ?? {}, requestBytes: limits.requestBytes });
    const what = request.what ?? describe(hop);
    const over = new AbortController();
    const total = new Deadline(clock);
    const onAbort = () => over.abort(abortFault(request.signal, service, what));
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener("abort", onAbort);
    total.arm(limits.totalMs, () =>
      over.abort(transient("TIMEOUT", `${service} took longer than ${limits.totalMs} ms for ${what}`, { service })),
    );
    try {
      return await follow(hop, what, over.signal);
    } finally {
      total.disarm();
      // A visit's signal outlives its calls.
      request.signal?.removeEventListener("abort", onAbort);
    }
  }

  const faultOf = (answer: Answer, what: string) =>
    statusFault({
      service,
      what,
      status: answer.status,
      headers: answer.headers,
      nowMs: now(),
      busyWaitMs: options.busyWaitMs,
      said: answer.body.toString("utf8", 0, 1_000),
    });

  async function ok(request: GuardedRequest): Promise<Answer> {
    const answer = await send(request);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw faultOf(answer, request.what ?? `${request.method ?? "GET"} ${request.url.split("?", 1)[0]}`);
  }

  return {
    service,
    send,
    ok,
    json: async (request, check) => readJson(await ok(request), check, service),
    faultOf,
    forgetCookies: () => jar?.clear(),
  };
}

const MOST_HOPS = 20;

function checkedLimits(limits: Limits): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw new InputError(`limits.${name}`, `limits.${name} must be a number above 0, got ${value}`);
    }
  }
  return limits;
}

function withCookies(hop: Hop, jar: CookieJar | undefined): Hop {
  const cookie = jar?.header(hop.url);
  return cookie === undefined ? hop : { ...hop, headers: { ...hop.headers, cookie } };
}

function describe({ method, url }: Hop): string {
  return `${method} ${url.pathname}`;
}

/** The engine aborts with the fault to end with. Nobody else's abort says anything about the service. */
function abortFault(signal: AbortSignal | undefined, service: string, what: string): Fault {
  const reason: unknown = signal?.reason;
  if (reason instanceof Fault) return reason;
  return transient("ABORTED", `${what} of ${service} was given up`, { service, cause: reason, breaker: "none" });
}
