// Where a file of a download client is on our own disk. Clients often run in a container or on another machine, and see other folders.

export interface PathMapping {
  /** A folder as the client sees it. */
  readonly theirs: string;
  /** The same folder as we see it. */
  readonly ours: string;
}

/** Null where the path leads out of every folder that is mapped, or is not one that can be trusted. */
export function localPath(theirs: string, mappings: readonly PathMapping[]): string | null {
  const plain = normal(theirs);
  if (plain === null) return null;
  if (mappings.length === 0) return plain;
  // The longest folder that holds it is meant: /downloads/films may be another disk than /downloads.
  const fitting = mappings
    .map(({ theirs: folder, ours }) => ({ folder: normal(folder), ours: normal(ours) }))
    .filter(({ folder }) => folder !== null && holds(folder, plain))
    .sort((a, b) => (b.folder?.length ?? 0) - (a.folder?.length ?? 0));
  const best = fitting[0];
  if (best?.folder == null || best.ours === null) return null;
  const rest = plain.slice(best.folder === "/" ? 0 : best.folder.length);
  return `${best.ours === "/" ? "" : best.ours}${rest}` || "/";
}

const holds = (folder: string, path: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`);

export const isWholePath = (path: string): boolean => normal(path) !== null;

/** With single slashes and without "."; null for a relative path, "..", or signs that no path of ours has. */
function normal(path: string): string | null {
  if (!path.startsWith("/") || /\p{Cc}/u.test(path)) return null;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? null : `/${parts.join("/")}`;
}
