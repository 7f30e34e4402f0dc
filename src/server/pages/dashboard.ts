// The dashboard's files, as they were built: read once, kept ready in both the forms that browsers take.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";

export interface DashboardFile {
  readonly type: string;
  readonly whole: Uint8Array<ArrayBuffer>;
  /** Undefined where packing it gains nothing. */
  readonly packed: Uint8Array<ArrayBuffer> | undefined;
  readonly etag: string;
  /** What it is called says what is in it: it may be kept for ever. */
  readonly isNamedByContent: boolean;
}

export interface Dashboard {
  /** Every page of it; which one is decided in the browser, by the address. */
  readonly page: DashboardFile;
  /** By path, such as `/assets/index-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, DashboardFile>;
}

const TYPES: { readonly [extension: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const PACKED_ALREADY: ReadonlySet<string> = new Set([".png", ".woff2"]);

/** Undefined where none was built. */
export function readDashboard(folder: string): Dashboard | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join("/"));
  const files = new Map(names.map((name) => [name, readOne(folder, name)]));
  const page = files.get("/index.html");
  return page === undefined ? undefined : { page, files };
}

function readOne(folder: string, name: string): DashboardFile {
  const whole = new Uint8Array(readFileSync(join(folder, name)));
  const extension = extname(name);
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    whole,
    packed: PACKED_ALREADY.has(extension) ? undefined : new Uint8Array(gzipSync(whole, { level: 9 })),
    etag: `"${createHash("sha256").update(whole).digest("base64url").slice(0, 22)}"`,
    isNamedByContent: name.startsWith("/assets/"),
  };
}
