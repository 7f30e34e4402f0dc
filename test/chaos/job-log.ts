// The job service's memory, which survives its process: every start, cancellation and step of work is a line in a file,
// written before it happens. Whoever reads the file again, in the same order, has the same world; so the next process
// goes on where the last one was killed, and the checker learns what really happened.

import { existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { JobWorld } from "../../src/connectors/http-job/job-world.ts";
import type { Asked, JobFact } from "./evidence.ts";

type Line =
  | { readonly do: "start"; readonly key: string; readonly input: Asked }
  | { readonly do: "cancel"; readonly id: string }
  | { readonly do: "tick" };

/** Steps of work from start to end. */
const TICKS = 4;

export class LoggedWorld extends JobWorld {
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    super({ ticks: TICKS });
    this.#path = path;
    for (const line of readLines(path)) this.#do(line);
  }

  override start(key: string, input: unknown): { readonly id: string; readonly isNew: boolean } {
    // Only the run's own workers speak to this service.
    this.#write({ do: "start", key, input: input as Asked });
    obey(this, key, input as Asked);
    return super.start(key, input);
  }

  override cancel(id: string): boolean {
    this.#write({ do: "cancel", id });
    return super.cancel(id);
  }

  override tick(): void {
    this.#write({ do: "tick" });
    super.tick();
  }

  #do(line: Line): void {
    switch (line.do) {
      case "start":
        obey(this, line.key, line.input);
        super.start(line.key, line.input);
        return;
      case "cancel":
        super.cancel(line.id);
        return;
      case "tick":
        super.tick();
        return;
    }
  }

  /** One write each: what was handed to the kernel outlives the process. */
  #write(line: Line): void {
    this.#file ??= openSync(this.#path, "a");
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** A job that is asked to be endless runs until it is cancelled: nobody forgets it unnoticed. */
function obey(world: JobWorld, key: string, input: Asked): void {
  if (input.fate === "endless") world.lie(key, "stalls");
}

function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  // Written above, whole lines only.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
}

/** What really happened, by key. */
export function jobFacts(path: string): JobFact[] {
  const { starts, made, effects, alive, cancelled } = new LoggedWorld(path).truth();
  const living = new Set(alive);
  const removals = Map.groupBy(cancelled, (key) => key);
  const tags = new Map(readLines(path).flatMap((line) => (line.do === "start" ? [[line.key, line.input.tag]] : [])));
  return [...starts].map(([key, count]) => ({
    key,
    tag: tags.get(key) ?? "",
    starts: count,
    made: made.get(key) ?? 0,
    effects: effects.get(key) ?? 0,
    removed: removals.get(key)?.length ?? 0,
    isAlive: living.has(key),
  }));
}
