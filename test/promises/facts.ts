// What the runs and the sources have shown, in figures. Promises are judged by these alone.

/** A test by its file and the name it is given there, or its row in a table. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

export interface Facts {
  readonly requests: RequestFacts;
  readonly chaos: ChaosFacts;
  readonly upload: UploadFacts;
  readonly loops: LoopFacts;
  /** Those that were named and did not pass, or were not there. */
  readonly notPassed: readonly NamedTest[];
}

/** Requests in the media world while everything in it is broken at random. */
export interface RequestFacts {
  readonly requests: number;
  readonly fulfilled: number;
  /** Requests for what no indexer has: nobody can fulfil them. */
  readonly unknown: number;
  readonly films: number;
  readonly completed: number;
  /** Faults, stalls and releases that were given back, and how many of them on the way of what has arrived. */
  readonly troubles: number;
  readonly recovered: number;
  readonly stalls: number;
  /** Stuck, or waiting for a reason that is not true. */
  readonly stuck: number;
  readonly longestMs: number;
  readonly quietMs: number;
  readonly outages: number;
  readonly outagesMs: number;
  /** Stages that were passed while something was broken. */
  readonly meanwhile: number;
  readonly attempts: number;
  /** Attempts that were spent on an outage, or on nothing that was broken. */
  readonly attemptsInVain: number;
  readonly kills: { readonly worker: number; readonly client: number; readonly encoders: number };
  /** What a person did to an item, or an answer that one gave. */
  readonly hands: number;
  readonly wrong: number;
  readonly halves: number;
  /** Torrents, files at servers and processes that belong to nobody. */
  readonly orphans: number;
  /** Rules of the engine that were found broken. */
  readonly rules: number;
  readonly transitions: { readonly recorded: number; readonly events: number; readonly lines: number };
  readonly wallMs: number;
  /** What the services take by themselves for the same work. */
  readonly ownMs: number;
  /** Everything that was wrong, by kind, with the first of each. */
  readonly findings: readonly string[];
}

/** Workers, a database and a job service, killed and cut off from each other. */
export interface ChaosFacts {
  readonly items: number;
  readonly kills: number;
  readonly databaseCrashes: number;
  readonly lost: number;
  readonly twice: number;
  /** Everything that was wrong. */
  readonly findings: readonly string[];
}

/** A file to a real sshd, cut at 60 %. */
export interface UploadFacts {
  readonly megabytes: number;
  readonly sentAgain: number;
  readonly isSame: boolean;
}

/** Loops that await and have no end of their own. */
export interface LoopFacts {
  readonly files: number;
  /** In applications and connectors. */
  readonly inWork: number;
  /** In workers, which claim, and in the exceptions that are named with their reasons. */
  readonly elsewhere: number;
}
