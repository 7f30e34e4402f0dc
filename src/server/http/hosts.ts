// Which names a browser may have typed to reach us, and which pages may send it here. Pure.
//
// A hostile page cannot read our answers, but its own name may be pointed at our address (DNS rebinding), and then the browser
// takes us for its server. So a request has to name us by something that nobody on the internet can own: an address, a name
// without a dot, a name of a local network; or one that was configured.

/** Nobody can register a name in these. */
const LOCAL_ENDINGS = [".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".intranet"];

export function isOwnHost(header: string | undefined, configured: ReadonlySet<string>): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  if (configured.has(name) || isAddress(name)) return true;
  return !name.includes(".") || LOCAL_ENDINGS.some((ending) => name.endsWith(ending));
}

/** Without port and final dot, in small letters; undefined for what is no host at all. */
export function hostName(header: string | undefined): string | undefined {
  if (header === undefined || !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(header)) return undefined;
  return header
    .replace(/:\d{1,5}$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** Written in the usual way; a browser makes that of all the others before it sends them. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}

export interface Sender {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** What a browser says about where the request comes from; absent over plain HTTP in a local network. */
  readonly site: string | undefined;
  /** Somebody follows a link to a page of ours. */
  readonly isNavigation: boolean;
  /** It is let in by a cookie, which a browser sends along whoever asks it to. */
  readonly hasCookie: boolean;
}

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Changes nothing. */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/** Whether a page of another site may be behind it. */
export function isForeign({ method, host, origin, site, isNavigation, hasCookie }: Sender): boolean {
  const changesNothing = isSafe(method);
  if (origin !== undefined && originHost(origin) !== host?.toLowerCase()) return true;
  // Also with our own host as its origin: a page of the same machine without HTTPS is not the one with it.
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return !changesNothing || (hasCookie && !isNavigation);
  // Browsers name the origin of everything that may change something.
  return !changesNothing && hasCookie && origin === undefined;
}

/** With its port, as the Host header has it. */
function originHost(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, host } = new URL(origin);
  return protocol === "http:" || protocol === "https:" ? host : undefined;
}
