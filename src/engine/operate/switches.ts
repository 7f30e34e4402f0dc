// On and off for one stage of a pipeline, at run time. What waits behind a switch that is off stays queued and says so; what
// was begun outside is looked after to its end. One row, however many items wait.

import { InputError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type ActionResult, resultOf } from "./action-result.ts";
import { checkActor, checkNote, checkScope } from "./checks.ts";
import { listValves, setValve, type ValveRow } from "./valve.sql.ts";
import { knownVersions } from "./versions.sql.ts";

/** A stage, of all versions of a pipeline or of one. */
export interface StageScope {
  readonly pipeline: string;
  readonly stage: string;
  readonly version?: number | undefined;
}

export interface SwitchState {
  readonly pipeline: string;
  readonly stage: string;
  /** Null for the switch of all versions. */
  readonly version: number | null;
  /** `closing`: off, but some live worker does not know yet, and may still begin something. */
  readonly state: "on" | "closing" | "off";
  readonly since: Date;
  readonly note: string | null;
}

export interface SwitchOptions {
  readonly note?: string;
  readonly by?: string;
}

export class Switches {
  readonly #db: Queryable;
  readonly #moved: () => void;

  constructor(db: Queryable, moved: () => void) {
    this.#db = db;
    this.#moved = moved;
  }

  /** Nothing new begins there once every live worker knows: until then the switch says `closing`. */
  async off(scope: StageScope, options: SwitchOptions = {}): Promise<ActionResult> {
    return await this.#set(scope, true, options);
  }

  /** Everything that waited goes on from where it stood. A stage is on when neither of its two switches is off. */
  async on(scope: StageScope, options: SwitchOptions = {}): Promise<ActionResult> {
    return await this.#set(scope, false, options);
  }

  /** Every switch that was ever used. A stage without one is on. */
  async list(): Promise<SwitchState[]> {
    return (await listValves(this.#db)).filter((row) => row.kind === "switch").map(switchState);
  }

  async #set(given: StageScope, closed: boolean, options: SwitchOptions): Promise<ActionResult> {
    const note = checkNote(options.note);
    const actor = checkActor(options.by ?? "api");
    const scope = await this.#checked(given);
    await setValve(this.#db, { kind: "switch", scope, closed, note, actor });
    this.#moved();
    return resultOf(undefined);
  }

  async #checked(given: StageScope): Promise<StageScope> {
    const { pipeline, stage, version } = checkScope(given);
    if (pipeline === undefined) throw new InputError("pipeline", "a switch needs a pipeline");
    if (stage === undefined) throw new InputError("stage", "a switch needs a stage");
    const versions = await knownVersions(this.#db, pipeline, version);
    if (!versions.some((one) => one.stages.includes(stage)))
      throw new InputError("stage", `pipeline ${pipeline} has no stage ${JSON.stringify(stage)}`);
    return { pipeline, stage, version };
  }
}

function switchState(row: ValveRow): SwitchState {
  const { pipeline, stage, version, changed_at: since, note } = row;
  const off = row.is_closing ? "closing" : "off";
  return { pipeline: pipeline ?? "", stage: stage ?? "", version, state: row.closed ? off : "on", since, note };
}
