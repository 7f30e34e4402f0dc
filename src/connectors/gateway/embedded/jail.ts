// What stands before a program that reads PDFs, so that it sees none of our files: a root of its own, in which the system's programs and
// fonts can be read and nothing can be written, nobody's user where we are root, and no way to more rights. What it reads is handed to it.

import { canRun } from "../../kit/index.ts";

export interface Jail {
  readonly prefix: readonly string[];
  /** Whether it has a root of its own. */
  readonly hidesFiles: boolean;
}

export const NOBODY = 65_534;
const NO_MORE_RIGHTS = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"];
/** Only root can, and has to where it reads a stranger's file. */
export const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...NO_MORE_RIGHTS];

/** Mounted by nobody but itself: it is gone with the program. Links to folders of /usr are links again. */
const OWN_ROOT = `set -e
root=$1; shift
mount -t tmpfs -o mode=755,size=64k none "$root"
for place in usr/bin usr/lib usr/lib32 usr/lib64 usr/libx32 usr/share bin lib lib64 etc/fonts var/cache/fontconfig; do
  if [ -h "/$place" ]; then cp -P "/$place" "$root/$place"
  elif [ -d "/$place" ]; then
    mkdir -p "$root/$place"
    mount --bind "/$place" "$root/$place"
    mount -o remount,bind,ro,nosuid,nodev "$root/$place"
  fi
done
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"`;

export const isRoot = (): boolean => process.getuid?.() === 0;

/** `folder` is an empty one; `before` and `command` are what stands around it. */
export async function findJail(
  folder: string,
  { before, command }: { readonly before: readonly string[]; readonly command: readonly string[] },
  signal?: AbortSignal,
): Promise<Jail> {
  const ownRoot = ["sh", "-c", OWN_ROOT, "sh", folder];
  const ways: readonly Jail[] = isRoot()
    ? [
        { prefix: ["unshare", "-m", "--", ...ownRoot, ...AS_NOBODY], hidesFiles: true },
        { prefix: AS_NOBODY, hidesFiles: false },
      ]
    : [
        { prefix: ["unshare", "-r", "-m", "--", ...ownRoot, "setpriv", ...NO_MORE_RIGHTS], hidesFiles: true },
        { prefix: ["setpriv", "--no-new-privs", "--"], hidesFiles: false },
      ];
  for (const way of ways) if (await canRun([...before, ...way.prefix, ...command], signal)) return way;
  return { prefix: [], hidesFiles: false };
}
