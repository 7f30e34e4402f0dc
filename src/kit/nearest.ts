// "Did you mean …?": what somebody probably meant who wrote something else. Pure.

/** More are no help. */
const MEANT_MOST = 3;
const NAMED_MOST = 20;

/** Those that are a slip or two away, the nearest first; in a word of three letters one slip is enough. */
export function meant(written: string, known: Iterable<string>): string[] {
  const small = written.toLowerCase();
  const most = small.length <= 3 ? 1 : 2;
  return [...known]
    .map((one) => ({ one, slips: slips(small, one.toLowerCase()) }))
    .filter((each) => small !== "" && each.slips <= most)
    .sort((a, b) => a.slips - b.slips)
    .map(({ one }) => one)
    .slice(0, MEANT_MOST);
}

/** The nearest, where one is near. */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  return meant(written, known)[0];
}

/** For the end of a refusal: the name that was meant, or all that there are. */
export function orElse(written: string, known: readonly string[]): string {
  const near = nearest(written, known);
  if (near !== undefined) return `did you mean ${JSON.stringify(near)}?`;
  if (known.length === 0) return "there is none here yet";
  const shown = known.slice(0, NAMED_MOST).join(", ");
  return known.length > NAMED_MOST ? `known here: ${shown}, …` : `known here: ${shown}`;
}

/** Letters to change, leave out, put in or swap with their neighbour. */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [above, before] = [rows[i - 1] ?? [], rows[i - 2] ?? []];
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 3;
}
