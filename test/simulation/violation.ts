// Something that must never be was.

export type Invariant =
  | "nothing forgotten"
  | "one owner"
  | "legal path"
  | "attempts"
  | "one success"
  | "no gap"
  | "closed means closed"
  | "capacity"
  | "key limit"
  | "starvation"
  | "counts"
  | "waits"
  | "keys"
  | "acknowledged"
  | "effects"
  | "feed"
  | "bounds"
  | "explained"
  | "version"
  | "watched"
  | "orphans"
  | "breaker"
  | "rate"
  | "bulk"
  | "finders"
  | "schedules"
  | "deadlines"
  | "removal"
  | "liveness"
  | "no crash";

export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, message: string) {
    super(message);
    this.invariant = invariant;
  }
}
