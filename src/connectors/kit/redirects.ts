// Whether and how a redirect is followed. Pure.

import type { EgressPolicy } from "./egress.ts";

export type Redirects =
  /** A redirect is a fault: services that were configured have no reason to send us elsewhere. */
  | "none"
  /** A redirect is an answer like any other: for who looks at each place before going there. */
  | "as-answer"
  | "same-origin"
  | {
      readonly follow: {
        readonly hops: number;
        /** For hops to another origin. An address in an answer is outside data, so "public" where nothing is said. */
        readonly egress?: EgressPolicy;
      };
    };

export interface RedirectedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly byteLength: number } | undefined;
}

export type NextHop<Request> =
  | { readonly go: Request; readonly egress: EgressPolicy | undefined }
  | { readonly refused: string };

export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const SAME_ORIGIN_HOPS = 5;

/** All that goes along to another origin. A list of what is safe: credentials have too many names to list. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "user-agent", "range"]);

/** `followed` counts the redirects before this one. `egress` is undefined while the origin stays the same. */
export function nextHop<Request extends RedirectedRequest>(
  request: Request,
  answer: { readonly status: number; readonly location: string | undefined },
  redirects: Redirects,
  followed: number,
): NextHop<Request> {
  if (redirects === "none" || redirects === "as-answer")
    return { refused: "redirects, which this client does not follow" };
  const hops = redirects === "same-origin" ? SAME_ORIGIN_HOPS : redirects.follow.hops;
  if (followed >= hops) return { refused: `redirects more than ${hops} times` };
  const url = target(answer.location, request.url);
  if (url === undefined) return { refused: "redirects to something that is no address" };
  const asked = changed(request, answer.status);
  const go = { ...asked, url };
  if (url.origin === request.url.origin) return { go, egress: undefined };
  if (redirects === "same-origin") return { refused: `redirects to another origin, ${url.origin}` };
  if (request.url.protocol === "https:" && url.protocol === "http:")
    return { refused: "redirects to an unsafe connection" };
  // A body was meant for the first origin as much as credentials were.
  if (asked.body !== undefined) return { refused: `wants the body sent to another origin, ${url.origin}` };
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => HARMLESS.has(name)));
  return { go: { ...go, headers }, egress: redirects.follow.egress ?? "public" };
}

function target(location: string | undefined, base: URL): URL | undefined {
  const url = location === undefined ? null : URL.parse(location, base.href);
  if (url === null || !isHttp(url) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url;
}

export function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

/** A POST becomes a GET after 301, 302 and 303, as every browser does; 307 and 308 repeat it as it was. */
function changed<Request extends RedirectedRequest>(request: Request, status: number): Request {
  const { method } = request;
  const toGet = status === 303 ? method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
  if (!toGet) return request;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.startsWith("content-")));
  return { ...request, method: "GET", headers, body: undefined };
}
