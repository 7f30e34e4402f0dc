// What somebody probably meant who wrote something else. Pure.

/** Those that are a slip or two away, the nearest first; in a word of three letters one slip is enough. */
export function meant(written: string, known: readonly string[]): string[] {
  const small = written.toLowerCase();
  const most = small.length <= 3 ? 1 : 2;
  return known
    .map((one) => ({
      one,
      slips: one.toLowerCase().startsWith(small) && small !== "" ? 1 : slips(small, one.toLowerCase()),
    }))
    .filter((each) => each.slips <= most)
    .sort((a, b) => a.slips - b.slips)
    .map(({ one }) => one)
    .slice(0, 3);
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
