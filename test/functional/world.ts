// Where the cases run. One set of cases, several databases: a world opens a Sluice on one of them and knows how time
// passes there.

import type { Transaction } from "kysely";
import type { PgClientLike } from "../../src/engine/db/caller-transaction.ts";
import type {
  AnyPipeline,
  Around,
  Finder,
  ItemId,
  OpenOptions,
  RequestHandle,
  RequestResult,
  Schedule,
  Sluice,
} from "../../src/engine/index.ts";

/** What a Sluice is opened with besides its pipelines. */
export interface Brought {
  readonly finders?: readonly Finder[];
  readonly schedules?: readonly Schedule[];
  /** Meets the visits of all cases, so it looks which ones are meant. */
  readonly around?: readonly Around[];
}

export interface World {
  readonly sluice: Sluice;
  /** Called while the cases are collected: one Sluice has the pipelines of all of them. */
  use(...pipelines: AnyPipeline[]): void;
  /** The same for what goes with them. */
  bring(brought: Brought): void;
  /** The result of a request, letting as much time pass as it takes. */
  finished(handle: Pick<RequestHandle, "result">): Promise<RequestResult>;
  /** Lets time pass until it is true. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Has everything done that the engine does once a minute or less. */
  chores(): Promise<void>;
  /** A look from outside. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A transaction of the application's own, through a `pg` client; rolled back when the work throws. */
  inClient<T>(work: (tx: PgClientLike) => Promise<T>): Promise<T>;
  inKysely<T>(work: (tx: Transaction<unknown>) => Promise<T>): Promise<T>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A world on a server, where several processes may meet. */
export interface ServerWorld extends World {
  /** One more Sluice on the same database; the caller closes it. */
  another(options: Omit<OpenOptions, "database" | "pooled">): Promise<Sluice>;
  /** How to open a database of its own on the same server, empty or with the schema in place. */
  freshDatabase(kind: "empty" | "migrated"): Promise<Pick<OpenOptions, "database" | "pooled">>;
}

/** All that cases have brought, in one. */
export function together(all: readonly Brought[]): Required<Brought> {
  return {
    finders: all.flatMap((one) => one.finders ?? []),
    schedules: all.flatMap((one) => one.schedules ?? []),
    around: all.flatMap((one) => one.around ?? []),
  };
}

/** What happened to an item, a line each: `"search done"`, `"download fault TIMEOUT"`. */
export async function story(sluice: Sluice, item: ItemId | undefined): Promise<string[]> {
  const { entries } = await sluice.history(item as ItemId);
  return entries.map(({ from, to, outcome, code, reason, end }) => {
    const words: (string | null)[] = [from ?? to, outcome, code ?? reason];
    if (end !== null && end !== "done") words.push(`→ ${end}`);
    return words.filter((word) => word !== null).join(" ");
  });
}

/** A place where a stage's code waits until the test lets it go on. */
export interface Doorway {
  /** For the stage: says that it is there, and waits. */
  pass(signal?: AbortSignal): Promise<void>;
  /** For the test: resolves when the stage is there. */
  readonly reached: Promise<void>;
  open(): void;
}

export function doorway(): Doorway {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    async pass(signal) {
      reached.resolve();
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
      await Promise.race([opened.promise, aborted]);
    },
    reached: reached.promise,
    open: () => opened.resolve(),
  };
}
