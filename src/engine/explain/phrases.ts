// Parts of sentences. Types only.

/** The end of the first sentence and what follows it are the same for most reasons. */
export interface Phrases {
  readonly since: string;
  readonly checked: string;
  readonly attempts: string;
  readonly fault: string;
  readonly line: string;
  /** Where somebody should look, because it has lasted for so long. */
  readonly tooLong: string;
}
