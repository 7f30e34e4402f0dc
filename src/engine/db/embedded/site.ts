// Everything the other files need to know about one embedded server: where it lies, as whom and from what it runs.
import type { Sleep } from "./wait.ts";

/** The unprivileged account PostgreSQL runs as when Sluice itself runs as root, which PostgreSQL refuses. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Binaries {
  /** The folder with bin/, lib/ and share/ in it. */
  readonly folder: string;
  /** Of the package, such as 18.4.0-beta.17. */
  readonly version: string;
}

export interface Place {
  /** As the user named it, for messages. */
  readonly shownAs: string;
  /** Where everything lies: the folder itself, or one below /var/lib/sluice. No symbolic links in it. */
  readonly home: string;
  /** PostgreSQL's data folder. */
  readonly cluster: string;
  /** Undefined: as ourselves. */
  readonly account: Account | undefined;
}

export interface Site extends Place {
  readonly binaries: Binaries;
  readonly sleep: Sleep;
  readonly log: (line: string) => void;
}

/** How every program of PostgreSQL is spawned: as the account, from a folder it may read, with none of our PG* variables. */
export function spawnAs(account: Account | undefined) {
  return {
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
  };
}
