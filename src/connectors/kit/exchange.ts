// One request and its answer, within limits. No redirects, no cookies: those are made of several of these.
//
//   connect ──(connected, handshake done)──▶ exchange ──(headers)──▶ body ──▶ answer
//   connectMs                                headersMs               idleMs between chunks, answerBytes in all

import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { type Fault, transient, unavailable } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { Deadline } from "./deadline.ts";
import { type DialOptions, dial, readyEvent } from "./dial.ts";
import type { EgressPolicy } from "./egress.ts";
import { errnoFault } from "./errno-faults.ts";
import { connectionFault, type Phase, type Whom } from "./http-faults.ts";

export interface Limits {
  readonly connectMs: number;
  /** From the last byte sent to the headers of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
  /** For everything, redirects included. */
  readonly totalMs: number;
  readonly answerBytes: number;
  readonly requestBytes: number;
}

/** A body that is too large to be held: read while it is sent. */
export interface StreamedBody {
  /** As many as `chunks` come to. */
  readonly byteLength: number;
  /** From the beginning, each time; what it throws is what the exchange fails with. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamedBody | undefined;
  /** Takes the answer piece by piece instead of having it collected; only for statuses of 200 to 299. */
  readonly into: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty where it went elsewhere. */
  readonly body: Buffer;
  /** Where it came from in the end. */
  readonly url: string;
}

export interface ExchangeOptions extends DialOptions {
  readonly whom: Whom;
  readonly egress: EgressPolicy;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Its reason is the fault to fail with. */
  readonly signal: AbortSignal;
}

/** What watches over one exchange: the time limit in force, and what ends it early. */
class Guard {
  readonly deadline: Deadline;
  readonly failed: Promise<never>;
  failure: Fault | undefined;
  stop: (error: Error) => void = () => undefined;
  #reject: (fault: Fault) => void = () => undefined;

  constructor(clock: Clock) {
    this.deadline = new Deadline(clock);
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Mostly nobody listens: it matters only while something is awaited that destroying the request does not end.
    this.failed.catch(() => undefined);
  }

  readonly fail = (fault: Fault): void => {
    this.failure ??= fault;
    this.#reject(this.failure);
    this.stop(this.failure);
  };

  limit(ms: number, fault: () => Fault): void {
    this.deadline.arm(ms, () => this.fail(fault()));
  }
}

export async function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const { limits, whom, signal } = options;
  const { service, what } = whom;
  const guard = new Guard(options.clock);
  let phase: Phase = "connect";
  const onAbort = () => guard.fail(signal.reason as Fault); // the client aborts with nothing else
  const silent = () => transient("TIMEOUT", `${service} did not answer ${what}`, { service });
  const farAway = () =>
    unavailable("NOT_REACHED", `${service} could not be reached within ${limits.connectMs} ms`, { service });
  try {
    signal.throwIfAborted();
    guard.limit(limits.connectMs, farAway);
    const connected = () => {
      phase = "exchange";
      // While a body is still on its way up only the total counts.
      guard.deadline.disarm();
      // An answer may come before all of the request was sent.
      const sent = () => phase === "exchange" && guard.limit(limits.headersMs, silent);
      if (request.writableFinished || hop.body === undefined) sent();
      else request.once("finish", sent);
    };
    // With a connection of its own per request: on a kept one, a reset because it had grown old looks like a reset
    // after the request was acted upon.
    const request = httpRequest({
      method: hop.method,
      path: hop.url.pathname + hop.url.search,
      headers: { ...hop.headers, host: hop.url.host },
      createConnection: () => {
        const socket = dial(hop.url, options);
        // One that was given up on the spot has not been reached.
        return socket.once(readyEvent(hop.url), () => socket.destroyed || connected());
      },
    });
    guard.stop = (error) => request.destroy(error);
    signal.addEventListener("abort", onAbort);
    const head = new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve);
      // Stays: a request may fail more than once, and the second time nobody else would listen.
      request.on("error", reject);
      request.once("close", () => reject(Object.assign(new Error("closed without an answer"), { code: "ECONNRESET" })));
    });
    if (hop.body === undefined || hop.body instanceof Uint8Array) request.end(hop.body);
    else void pour(hop.body, request, guard.fail);
    const response = await head;
    phase = "body";
    const body = await readBody(response, hop, options, guard);
    return { status: response.statusCode ?? 0, headers: response.headers, body, url: hop.url.href };
  } catch (error) {
    throw guard.failure ?? connectionFault(error, phase, whom, options.egress);
  } finally {
    guard.deadline.disarm();
    signal.removeEventListener("abort", onAbort);
    // Whatever of the answer is still under way is of no interest.
    guard.stop(new Error("over"));
  }
}

/** As fast as it is taken. An answer may come before the end; then the request is destroyed, and this ends with it. */
async function pour(body: StreamedBody, request: ClientRequest, fail: (fault: Fault) => void): Promise<void> {
  const closed = new Promise<void>((resolve) => request.once("close", resolve));
  try {
    for await (const chunk of body.chunks()) {
      if (request.destroyed) return;
      if (!request.write(chunk)) await Promise.race([new Promise((resolve) => request.once("drain", resolve)), closed]);
    }
    request.end();
  } catch (error) {
    // Of what is read: a request that breaks tells so itself.
    fail(errnoFault(error, "reading what is sent"));
  }
}

async function readBody(
  response: IncomingMessage,
  hop: Hop,
  { limits, whom }: ExchangeOptions,
  guard: Guard,
): Promise<Buffer> {
  const { service, what } = whom;
  const stuck = () => transient("TIMEOUT", `${service} fell silent within its answer to ${what}`, { service });
  const tooLarge = () =>
    transient("TOO_LARGE", `${service} answered ${what} with more than ${limits.answerBytes} bytes`, { service });
  const status = response.statusCode ?? 0;
  const into = status >= 200 && status < 300 ? hop.into : undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (hop.method !== "HEAD" && Number(response.headers["content-length"]) > limits.answerBytes) throw tooLarge();
  guard.limit(limits.idleMs, stuck);
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > limits.answerBytes) throw tooLarge();
    guard.deadline.disarm();
    if (into === undefined) chunks.push(chunk);
    else await Promise.race([into(chunk), guard.failed]);
    guard.limit(limits.idleMs, stuck);
  }
  // Node's stream already fails where this is so. Asked all the same: half an answer must never pass for a whole one.
  if (!response.complete) throw transient("TRUNCATED", `the answer of ${service} to ${what} was cut off`, { service });
  return Buffer.concat(chunks);
}
