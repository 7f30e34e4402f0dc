// The program that hands in work and asks: there from the beginning, it never dies, and it works on nothing itself.

import { Sluice } from "../../src/engine/sluice.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import { allPipelinesIn, pipelinesIn, recurringIn } from "./pipelines.ts";
import type { Party } from "./scheduler.ts";
import { act } from "./users.ts";
import { Violation } from "./violation.ts";
import { surroundingsOf } from "./visits.ts";
import type { World } from "./world.ts";

export class SimulatedClient implements Party {
  readonly name = "client";
  alive = true;
  pausedUntil = 0;
  #sluice: Sluice | undefined;

  get sluice(): Sluice | undefined {
    return this.#sluice;
  }

  /** Tries until it is open, then does the first things. */
  open(world: World): void {
    const pipelines = allPipelinesIn(surroundingsOf(world, undefined));
    const ports = {
      db: world.database.databaseOf(this),
      clock: world.scheduler.clockOf(this),
      random: new Dice(world.seed, "client").random,
      log: silentLogger,
      notify: world.notify,
      ...recurringIn(surroundingsOf(world, undefined)),
      worker: undefined,
    };
    const again = () => {
      Sluice.start(ports, pipelines).then(
        (sluice) => {
          this.#sluice = sluice;
          if (world.options.begin === undefined) for (const detail of [0.1, 0.2, 0.3]) this.use(world, detail);
          else this.#beginAsTold(world, sluice);
        },
        () => world.later(100, "opens again", again),
      );
    };
    again();
  }

  #beginAsTold(world: World, sluice: Sluice): void {
    const { main } = pipelinesIn(surroundingsOf(world, undefined));
    world.options
      .begin?.(sluice, main)
      .catch((error: unknown) => world.trace.note(`the user was told: ${String(error)}`));
  }

  /** Somebody does something with it. */
  use(world: World, detail: number): void {
    const client = this.#sluice;
    if (client === undefined) return;
    const { main, later } = pipelinesIn(surroundingsOf(world, undefined));
    const { seed, kinds, entities, invariants, counts, itemsMost } = world;
    const mains = [main, main, later];
    const all = allPipelinesIn(surroundingsOf(world, undefined));
    const outside = all.filter(({ name }) => OUTSIDE.has(name));
    const brief = all.filter(({ name }) => name === "brief");
    const workers = world.processes.flatMap(({ sluice, code, alive }) => (alive && sluice ? [{ sluice, code }] : []));
    const ports = { seed, client, workers, kinds, entities, mains, outside, brief, invariants, counts, itemsMost };
    act({ ...ports, say: (what) => world.trace.note(what) }, detail).catch((error: unknown) => {
      const shown = error instanceof Error ? error.stack : String(error);
      world.fail(new Violation("no crash", `a user was shown ${shown}`));
    });
  }
}

const OUTSIDE: ReadonlySet<string> = new Set(["films", "calls", "parcels"]);
