// What the server's clock says. A browser's may be minutes or days off, and every time on a page is the server's. Each answer tells
// the second in which it was given, between asking and hearing.

export interface Heard {
  /** The answer's `date`, which leaves out the part of the second. */
  readonly date: string | null;
  /** By the browser's clock. */
  readonly asked: number;
  readonly heard: number;
}

const SECOND_MS = 1_000;

/** By how much the server's is ahead: moved as little as the answer makes necessary, so that the quickest ones decide. Pure. */
export function aheadAfter(ahead: number, { date, asked, heard }: Heard): number {
  const told = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(told)) return ahead;
  return Math.min(Math.max(ahead, told - heard), told + SECOND_MS - asked);
}

let ahead = 0;

export function hear(heard: Heard): void {
  ahead = aheadAfter(ahead, heard);
}

export const serverNow = () => Date.now() + ahead;
