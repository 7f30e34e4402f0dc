// What the engine asks of PostgreSQL, and nothing more. Two things implement it: `postgres.ts` (the `pg` driver, for
// every real run) and `testing/pglite.ts` (one in-process session, for unit tests and the simulator).
//
// Values come back alike from both: int8 and xid8 as decimal text, timestamptz as a Date, json parsed, arrays as arrays.

/** SQL with a name. The name shows up in logs, errors and the simulator's traces, and prepares the statement where that is safe. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Queryable {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface ChannelListener {
  /** With what the notification says, if anything. */
  wake(payload: string): void;
  /** The connection is gone and nothing will arrive any more; listen again. */
  lost(): void;
}

/** Stops listening. Safe to call twice. */
export type StopListening = () => Promise<void>;

export interface Database extends Queryable {
  /** Runs `work` between BEGIN and COMMIT on one connection; rolls back when it throws. No outside call belongs in here. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Tells the listener when somebody notified the channel. A hint only: every caller also polls. */
  listen(channel: string, listener: ChannelListener): Promise<StopListening>;
  close(): Promise<void>;
}
