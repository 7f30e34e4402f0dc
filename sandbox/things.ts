// The things that can be broken, as the server is given them: each is a process, and has faults that it is told of.

import { type Logger, SluiceError } from "../src/engine/index.ts";
import type { SandboxPort, SandboxThing } from "../src/server/sandbox-port.ts";
import type { ManagedProcess } from "./processes/managed.ts";
import type { FaultText } from "./service/faults.ts";

export type Running = Pick<ManagedProcess, "name" | "state" | "downSince" | "log" | "start" | "tell" | "stop" | "kill">;

export interface Thing {
  readonly process: Running;
  readonly about: string;
  readonly service: string | null;
  /** The fault that is its process not running, however that came about; mended by starting it. */
  readonly ends: FaultText & { readonly name: string; readonly by: "stop" | "kill" };
  /** Those that it is told of, by name. */
  readonly faults: Readonly<Record<string, FaultText>>;
}

export class Things implements SandboxPort {
  readonly #things: ReadonlyMap<string, Thing>;
  readonly #log: Logger;
  /** What it was told to have, and since when. */
  readonly #told = new Map<string, Map<string, Date>>();
  /** One after the other, or two that press at once would start a process twice. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(things: readonly Thing[], log: Logger) {
    this.#things = new Map(things.map((thing) => [thing.process.name, thing]));
    this.#log = log;
  }

  things(): readonly SandboxThing[] {
    return [...this.#things].map(([name, { process, about, service, ends, faults }]) => ({
      ...{ name, about, service, state: process.state },
      faults: [
        { name: ends.name, does: ends.does, expect: ends.expect, brokenSince: process.downSince },
        ...Object.entries(faults).map(([fault, { does, expect }]) => ({
          ...{ name: fault, does, expect },
          brokenSince: this.#told.get(name)?.get(fault) ?? null,
        })),
      ],
    }));
  }

  /** What each said last. */
  logs(): readonly { readonly name: string; readonly lines: readonly string[] }[] {
    return [...this.#things].map(([name, { process }]) => ({ name, lines: process.log.lines() }));
  }

  break(name: string, fault: string): Promise<void> {
    return this.#next(name, fault, async ({ process, ends }, told) => {
      if (fault === ends.name) return await process[ends.by]();
      await process.tell([...told.keys(), fault]);
      told.set(fault, new Date());
    });
  }

  mend(name: string, fault: string): Promise<void> {
    return this.#next(name, fault, async ({ process, ends }, told) => {
      if (fault === ends.name) return await process.start([...told.keys()]);
      await process.tell([...told.keys()].filter((one) => one !== fault));
      told.delete(fault);
    });
  }

  /** Everything that is broken now, one after the other. */
  async mendAll(): Promise<void> {
    for (const { name, faults } of this.things())
      for (const fault of faults) if (fault.brokenSince !== null) await this.mend(name, fault.name);
  }

  #next(name: string, fault: string, work: (thing: Thing, told: Map<string, Date>) => Promise<void>): Promise<void> {
    const thing = this.#things.get(name);
    if (thing === undefined || (fault !== thing.ends.name && !Object.hasOwn(thing.faults, fault)))
      return Promise.reject(new SluiceError("NOT_FOUND", `there is no fault ${fault} of ${name}`, { field: "fault" }));
    const told = this.#told.get(name) ?? new Map<string, Date>();
    this.#told.set(name, told);
    const mine = this.#last.then(async () => {
      try {
        await work(thing, told);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#log.error("sandbox.failed", { thing: name, fault, why });
        throw new SluiceError("REFUSED", why, { cause: error });
      }
    });
    this.#last = mine.catch(() => undefined); // told to whoever asked for it
    return mine;
  }
}
