// A document that is named by an address: fetched by us, from the public internet and nowhere else.

import { type GuardedClientOptions, guardedClient } from "../../../connectors/index.ts";
import { Fault } from "../../../engine/index.ts";
import { FileRefused } from "../files/receive.ts";
import type { Sent } from "./take-in.ts";

/** The address cannot be fetched; in words without what is behind it. */
export class NotFetched extends Error {
  override readonly name = "NotFetched";
}

/** For an upload that somebody waits for. */
export const LONGEST_MS = 60_000;
const LIMITS = { connectMs: 10_000, headersMs: 20_000, idleMs: 15_000, totalMs: LONGEST_MS };

/** From elsewhere than the public internet only where a test says so. */
export type FetchOptions = Partial<Pick<GuardedClientOptions, "resolve" | "clock" | "egress">>;

export interface Fetching extends FetchOptions {
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  readonly totalMs?: number;
}

export function fetchDocument(url: string, { mostBytes, signal, totalMs = LONGEST_MS, ...options }: Fetching): Sent {
  const client = guardedClient({
    ...{ service: "document", egress: "public", redirects: { follow: { hops: 5 } } },
    limits: { ...LIMITS, totalMs, answerBytes: mostBytes },
    ...options,
  });
  return { name: nameIn(url), content: pieces(client, url, signal) };
}

/** What arrives is handed on piece by piece: whoever fetches waits until it was taken. */
async function* pieces(
  client: ReturnType<typeof guardedClient>,
  url: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const over = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const what = "the document";
  const fetching = client
    .ok({ url, what, signal: AbortSignal.any([signal, over.signal]), into: (chunk) => writer.write(chunk) })
    .then(() => writer.close())
    .catch(async (error: unknown) => writer.abort(toldOf(error)));
  try {
    for await (const chunk of readable) yield chunk;
    await fetching;
  } finally {
    // Who has seen enough leaves the rest where it is.
    over.abort();
    await fetching.catch(() => undefined);
  }
}

/** Told alike: whoever asks must not learn which names lead into the network that this server is in. */
const UNREACHED: ReadonlySet<string> = new Set(["EGRESS_REFUSED", "NOT_REACHED"]);

function toldOf(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const { code, kind } = error;
  if (UNREACHED.has(code))
    return new NotFetched("nothing can be reached at that address; only public ones are fetched");
  if (code === "TOO_LARGE") return new FileRefused("TOO_LARGE");
  return new NotFetched(
    kind === "permanent" ? "there is nothing to be had at that address" : "that address does not answer",
  );
}

export function nameIn(url: string): string | undefined {
  const [last] = new URL(url).pathname.split("/").slice(-1);
  try {
    return decodeURIComponent(last ?? "");
  } catch {
    return last; // not every address is spelled right
  }
}
