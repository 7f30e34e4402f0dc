export interface Contender {
  readonly name: string;
  /** Fills the database with `count` items; nothing is worked on yet. */
  prepare(url: string, count: number): Promise<Prepared>;
}

export interface Prepared {
  /** Takes every item through all stages. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
