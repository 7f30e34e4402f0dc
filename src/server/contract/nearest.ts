// What somebody meant who mistyped a name. Pure.

/** The name that is closest, where one is close; else undefined. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  const plain = given.toLowerCase();
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of known) {
    const far = distance(plain, name.toLowerCase());
    if (best === undefined || far < best.far) best = { name, far };
  }
  // A third of the letters may be wrong; two that were swapped count as two.
  return best !== undefined && best.far <= Math.ceil(given.length / 3) ? best.name : undefined;
}

/** For the end of a refusal: the name that was meant, or all that there are. */
export function orElse(given: string, known: readonly string[]): string {
  const meant = nearest(given, known);
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (known.length === 0) return "there is none here yet";
  const shown = known.slice(0, 20).join(", ");
  return known.length > 20 ? `known here: ${shown}, …` : `known here: ${shown}`;
}

/** How many letters have to be put in, taken out or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const changed = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
