// "Did you mean …?" Pure.

/** The known word that is closest to the one typed, if any is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.min(3, Math.floor(word.length / 3)));
  const [best] = known
    .map((one) => ({ one, far: distance(one, word) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far);
  return best?.one;
}

/** Letters to insert, drop or change to make one word of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
