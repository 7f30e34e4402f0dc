// The tests run against a PostgreSQL server, a PgBouncer, a Prometheus, a Chromium, a qBittorrent, an ffmpeg, an sshd, a poppler and the
// shells of the distribution, the benchmark also against its Redis.
// Without them they fail; nothing is skipped, because a skipped proof looks like a passed one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

interface SystemPackage {
  readonly name: string;
  /** Present when it is installed. */
  readonly file: string;
}

const postgres = { name: "postgresql-15", file: "/usr/lib/postgresql/15/bin/postgres" };
export const testPackages: readonly SystemPackage[] = [
  postgres,
  { name: "pgbouncer", file: "/usr/sbin/pgbouncer" },
  { name: "prometheus", file: "/usr/bin/prometheus" },
  { name: "chromium", file: "/usr/bin/chromium" },
  { name: "zsh", file: "/usr/bin/zsh" },
  { name: "fish", file: "/usr/bin/fish" },
  { name: "qbittorrent-nox", file: "/usr/bin/qbittorrent-nox" },
  { name: "ffmpeg", file: "/usr/bin/ffmpeg" },
  { name: "openssh-server", file: "/usr/sbin/sshd" },
  { name: "poppler-utils", file: "/usr/bin/pdftohtml" },
];
export const benchPackages: readonly SystemPackage[] = [
  postgres,
  { name: "redis-server", file: "/usr/bin/redis-server" },
];

export function missingPackages(
  exists: (file: string) => boolean = existsSync,
  needed: readonly SystemPackage[] = testPackages,
): string[] {
  return needed.filter(({ file }) => !exists(file)).map(({ name }) => name);
}

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = spawnSync("apt-get", args, { env, stdio: ["ignore", "inherit", "inherit"], timeout: 600_000 });
  return run.status === 0;
}

export function complaint(missing: readonly string[], because: string, whoNeeds = "The tests need"): string {
  return `${whoNeeds} ${missing.join(" and ")}: ${because}.`;
}

/** What is wrong, in one sentence, or undefined when everything needed is there. */
export function providePackages(whoNeeds = "The tests need", needed = testPackages): string | undefined {
  const missing = missingPackages(existsSync, needed);
  if (missing.length === 0) return undefined;
  if (process.getuid?.() !== 0)
    return complaint(missing, `run "apt-get install ${missing.join(" ")}" as root`, whoNeeds);
  process.stdout.write(`Installing ${missing.join(" and ")} with apt-get, once.\n`);
  // Recommended packages bring locales, mail and helpers for services; they all start servers of their own.
  const isDone = apt("update", "-q") && apt("install", "-y", "-q", "--no-install-recommends", ...missing);
  const still = missingPackages(existsSync, needed);
  if (still.length === 0) return undefined;
  return complaint(still, isDone ? "apt-get installed them elsewhere" : "apt-get could not install them", whoNeeds);
}
