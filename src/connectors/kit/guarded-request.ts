// A request as a connector writes it → the checked form that is sent.

import { permanent } from "../../engine/index.ts";
import { InputError, safeText } from "../../kit/index.ts";
import type { Hop, StreamedBody } from "./exchange.ts";
import { isHttp } from "./redirects.ts";

export interface GuardedRequest {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the client's base address, as in "jobs?ids=1"; a whole address for a client without one. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is streamed is read while it is sent, and its length is known before. */
  readonly body?: string | Uint8Array | StreamedBody;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Takes the answer piece by piece; the client's limit on answers still counts. */
  readonly into?: (chunk: Uint8Array) => void | Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** How faults call it instead of its method and path, where the path itself is secret. */
  readonly what?: string;
  /** A visit's `trace`: sent as the traceparent header, so that the other side's spans join it. */
  readonly trace?: string | undefined;
}

export interface Place {
  readonly service: string;
  readonly base: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBytes: number;
}

/** A configured address; it is the operator who has to put it right. Always ends in a slash. */
export function checkedBase(text: string): URL {
  const url = URL.parse(text);
  const wrong = (why: string) => new InputError("baseUrl", `baseUrl ${why}, got "${safeText(hideSecrets(text), 200)}"`);
  if (url === null || !isHttp(url)) throw wrong("must be an address such as http://nas:8080/api");
  if (url.username !== "" || url.password !== "") throw wrong("must not hold a name or a password; use headers");
  if (url.search !== "" || url.hash !== "") throw wrong("must not have a query or a fragment");
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function hideSecrets(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//…@");
}

export function toHop(request: GuardedRequest, place: Place): Hop {
  const url = checkedUrl(request.url, place);
  const body = bodyOf(request);
  if (body !== undefined && body.byteLength > place.requestBytes) {
    const message = `a request to ${place.service} of ${body.byteLength} bytes is more than the ${place.requestBytes} allowed`;
    throw permanent("REQUEST_TOO_LARGE", message, { service: place.service, breaker: "none" });
  }
  const headers = lowerCased({ ...place.headers, ...request.headers });
  return {
    method: request.method ?? "GET",
    url,
    headers: {
      ...(request.json === undefined ? {} : { "content-type": "application/json", accept: "application/json" }),
      "user-agent": "sluice",
      ...(request.trace === undefined ? {} : { traceparent: request.trace }),
      ...headers,
      // Nothing packed: a small answer could unpack to gigabytes.
      "accept-encoding": "identity",
      ...(body === undefined ? {} : { "content-length": String(body.byteLength) }),
    },
    body,
    into: request.into,
  };
}

/** Addresses are data: a bad one is a fault of the item that brought it. */
function checkedUrl(text: string, { base, service }: Place): URL {
  const url = URL.parse(text, base?.href);
  const refused = (why: string) =>
    permanent("EGRESS_REFUSED", `an address for ${service} ${why}`, { service, breaker: "none" });
  if (url === null) throw refused("cannot be read");
  if (!isHttp(url)) throw refused(`is ${url.protocol} and not http or https`);
  if (url.username !== "" || url.password !== "") throw refused("holds a name or a password");
  // "//elsewhere", "../admin" and whole addresses would otherwise leave with the service's credentials.
  if (base !== undefined && (url.origin !== base.origin || !url.pathname.startsWith(base.pathname))) {
    throw refused("leads outside its base address");
  }
  url.hash = "";
  return url;
}

function bodyOf({ body, json }: GuardedRequest): Hop["body"] {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return typeof body === "string" ? Buffer.from(body) : body;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
