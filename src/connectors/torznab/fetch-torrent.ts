// From a release to its torrent. Links lead over redirects, to files, magnets and pages; each step is looked at before it is taken.

import { Fault, permanent, transient } from "../../engine/index.ts";
import { type CallOptions, type GuardedClient, nextHop, REDIRECT_STATUSES } from "../kit/index.ts";
import { answerFault } from "./error-faults.ts";
import type { HiddenKey } from "./hidden-key.ts";
import type { Downloadable, FetchedTorrent } from "./indexer.ts";
import { infohashOfMagnet } from "./magnet.ts";
import { parseXml, WEB_PAGE } from "./xml.ts";

export interface TorrentDoor {
  readonly service: string;
  /** For the indexer's own addresses. */
  readonly near: GuardedClient;
  /** For everybody else's. */
  readonly far: GuardedClient;
  /** The indexer's origin. */
  readonly home: string;
  readonly key: HiddenKey;
  readonly now: () => number;
}

const HOPS = 5;
/** Trackers put keys of their users into paths. */
const WHAT = "a torrent";

export async function fetchRelease(
  release: Downloadable,
  door: TorrentDoor,
  call?: CallOptions,
): Promise<FetchedTorrent> {
  const { downloadUrl, magnet } = release;
  const { service } = door;
  if (release.protocol === "usenet")
    throw permanent("NOT_A_TORRENT", `this release of ${service} is for Usenet, not a torrent`, { service });
  if (magnet !== null && infohashOfMagnet(magnet) === null) throw badMagnet(service);
  if (downloadUrl === null) {
    if (magnet === null) throw permanent("NOT_A_TORRENT", `this release of ${service} has no link`, { service });
    return { magnet };
  }
  try {
    return await follow(door.key.fill(downloadUrl), door, call);
  } catch (error) {
    // A file says more than a magnet. But a magnet is better than nothing.
    const isOver = error instanceof Fault && error.kind === "permanent" && call?.signal?.aborted !== true;
    if (magnet !== null && isOver) return { magnet };
    throw error;
  }
}

async function follow(link: string, door: TorrentDoor, call?: CallOptions): Promise<FetchedTorrent> {
  const { service, home } = door;
  const url = URL.parse(link);
  if (url === null) throw permanent("NOT_A_TORRENT", `a link of ${service} cannot be read`, { service });
  let hop = { method: "GET", url, headers: {}, body: undefined };
  let isHome = url.origin === home;
  for (let followed = 0; followed <= HOPS; followed += 1) {
    const taken = await step(hop.url, isHome, door, call);
    if ("torrent" in taken) return taken.torrent;
    const next = nextHop(hop, taken, { follow: { hops: HOPS } }, followed);
    if ("refused" in next) throw redirected(`it ${next.refused}`, door, isHome);
    hop = { ...next.go, body: undefined };
    // Whoever was led away does not come back with the rights of the first address.
    isHome &&= next.egress === undefined;
  }
  throw redirected("without end", door, isHome);
}

type Step = { readonly torrent: FetchedTorrent } | { readonly status: number; readonly location: string | undefined };

async function step(url: URL, isHome: boolean, door: TorrentDoor, call?: CallOptions): Promise<Step> {
  const { service, key, now } = door;
  try {
    const answer = await (isHome ? door.near : door.far).send({ url: url.href, what: WHAT, ...call });
    const { status, headers, body } = answer;
    if (REDIRECT_STATUSES.has(status)) {
      const { location } = headers;
      if (location === undefined || !/^magnet:/i.test(location)) return { status, location };
      if (infohashOfMagnet(location) === null) throw badMagnet(service);
      return { torrent: { magnet: location } };
    }
    if (status === 200 && isTorrent(body)) return { torrent: { file: new Uint8Array(body) } };
    const parsed = parseXml(body.subarray(0, ERROR_BYTES), headers["content-type"]);
    const isError = status !== 200 || ("root" in parsed && parsed.root === "error");
    if (isError)
      throw answerFault(answer, parsed, {
        ...{ service, what: WHAT, isDownload: true, nowMs: now() },
        wipe: (text) => key.wipe(text),
      });
    const isPage = "problem" in parsed && parsed.problem === WEB_PAGE;
    const instead = isPage ? "a web page, not a torrent" : "something that is not a torrent";
    throw transient("NOT_A_TORRENT", `${service} answered the link of a torrent with ${instead}`, { service });
  } catch (error) {
    throw isHome || !(error instanceof Fault) ? error : blameless(error);
  }
}

/** Errors are short, and a page shows itself at its beginning. */
const ERROR_BYTES = 100_000;

/** A dictionary with an `info` in it. What is wrong inside only who reads it all can tell. */
function isTorrent(body: Buffer): boolean {
  return /^d\d/.test(body.toString("latin1", 0, 2)) && body.includes("4:infod");
}

/** What somebody else's machine does says nothing about the indexer. */
function blameless(fault: Fault): Fault {
  const { kind, code, message, service, retryAfterMs, cause } = fault;
  return new Fault(kind, code, message, {
    ...(service === undefined ? {} : { service }),
    ...(retryAfterMs === undefined ? {} : { retryAfter: retryAfterMs }),
    ...{ breaker: "none", cause },
  });
}

function badMagnet(service: string): Fault {
  return permanent("NOT_A_TORRENT", `a magnet of ${service} has no infohash that can be read`, { service });
}

function redirected(why: string, { service }: TorrentDoor, isHome: boolean): Fault {
  const fault = transient("REDIRECTED", `${service} answers the link of a torrent with a redirect: ${why}`, {
    service,
  });
  return isHome ? fault : blameless(fault);
}
