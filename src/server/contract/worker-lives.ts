// Workers that came back under their name. Pure, and without anything of the server's.

interface Life {
  /** Of two, the greater one is the newer. */
  readonly id: string;
  readonly name: string;
  readonly state: "alive" | "late" | "left" | "dead";
}

/** Those that are over and were followed by another of their name. */
export function formerLives<Worker extends Life>(workers: readonly Worker[]): ReadonlySet<Worker> {
  const newest = new Map<string, string>();
  for (const { name, id } of workers) if (id > (newest.get(name) ?? "")) newest.set(name, id);
  const isOver = ({ state }: Worker) => state === "left" || state === "dead";
  return new Set(workers.filter((one) => isOver(one) && one.id !== newest.get(one.name)));
}
