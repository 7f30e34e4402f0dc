// A session keeps its id and changes its token, so that one that leaked is worth little for long. Pure.
//
// A browser sends several requests at once and answers get lost, so a token is not dead when the next one is made: it is retired
// a little after its successor was first used. Where the successor never is, the next request gets another.

export interface TokenFacts {
  /** The newest token was shown, not the one before it. */
  readonly isNewest: boolean;
  /** There is an earlier token, and it was not retired yet: nobody has shown its successor. */
  readonly hasUnretired: boolean;
  /** Milliseconds since the newest token was made. */
  readonly age: number;
}

/** How old a token gets before it is renewed. */
export const RENEW_MS = 86_400_000;
/** So long both tokens count; by then all that was on its way has arrived. */
export const OVERLAP_MS = 60_000;

export type TokenStep = "renew" | "retire" | "none";

export function tokenStep({ isNewest, hasUnretired, age }: TokenFacts): TokenStep {
  if (!isNewest) return hasUnretired && age > OVERLAP_MS ? "renew" : "none";
  if (hasUnretired) return "retire";
  return age > RENEW_MS ? "renew" : "none";
}
