// Cookies as they were set: sent back letter for letter, to the host and port that set them, for its path, until they
// expire. No `Domain`: without the list of public suffixes it would let one host set cookies for its neighbours.

interface Cookie {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Wall clock; undefined lasts as long as the jar. */
  readonly expiresMs: number | undefined;
}

const MOST_COOKIES = 50;
const LONGEST_COOKIE = 4_096;

export class CookieJar {
  readonly #now: () => number;
  // In the order they were set; a cookie set anew keeps its place.
  readonly #cookies = new Map<string, Cookie>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the `Cookie` header for this address has to be. */
  header(url: URL): string | undefined {
    const now = this.#now();
    const fitting = [...this.#cookies.values()].filter((cookie) => !isOver(cookie, now) && fits(cookie, url));
    // Longer paths first: servers take the first of two with one name.
    fitting.sort((a, b) => b.path.length - a.path.length);
    return fitting.length === 0 ? undefined : fitting.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  /** `lines` are the answer's `Set-Cookie` headers. */
  store(url: URL, lines: readonly string[]): void {
    const now = this.#now();
    for (const line of lines) {
      const cookie = readCookie(line, url, now);
      if (cookie === undefined) continue;
      const id = [cookie.host, cookie.path, cookie.name].join(" ");
      if (isOver(cookie, now)) this.#cookies.delete(id);
      else this.#cookies.set(id, cookie);
    }
    for (const [id, cookie] of this.#cookies) if (isOver(cookie, now)) this.#cookies.delete(id);
    for (const id of [...this.#cookies.keys()].slice(0, Math.max(0, this.#cookies.size - MOST_COOKIES))) {
      this.#cookies.delete(id);
    }
  }

  clear(): void {
    this.#cookies.clear();
  }
}

function isOver({ expiresMs }: Cookie, now: number): boolean {
  return expiresMs !== undefined && expiresMs <= now;
}

function fits(cookie: Cookie, url: URL): boolean {
  if (cookie.host !== url.host || (cookie.isSecure && url.protocol !== "https:")) return false;
  const { path } = cookie;
  return url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function readCookie(line: string, url: URL, now: number): Cookie | undefined {
  const [pair = "", ...attributes] = line.split(";");
  const equals = pair.indexOf("=");
  // A control character in it would be refused when it is sent back, and with it every further request.
  if (equals <= 0 || line.length > LONGEST_COOKIE || /\p{Cc}/u.test(pair)) return undefined;
  const name = pair.slice(0, equals).trim();
  if (name === "") return undefined;
  const said = new Map(attributes.map(readAttribute));
  const path = said.get("path") ?? "";
  return {
    host: url.host,
    name,
    value: pair.slice(equals + 1).trim(),
    path: path.startsWith("/") ? path : defaultPath(url),
    isSecure: said.has("secure"),
    expiresMs: expiry(said.get("max-age"), said.get("expires"), now),
  };
}

function readAttribute(attribute: string): readonly [string, string] {
  const [name = "", ...value] = attribute.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

/** Up to the last slash: what was set by /api/auth/login is for /api/auth. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
}

function expiry(maxAge: string | undefined, expires: string | undefined, now: number): number | undefined {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1_000;
  const at = expires === undefined ? Number.NaN : Date.parse(expires);
  return Number.isNaN(at) ? undefined : at;
}
