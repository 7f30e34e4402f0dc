// What people may ask of finders, and do to them.

import { type Clock, checkJson, InputError, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { hurryFinder, rewindFinder, setFinderPause } from "../intake/finder.sql.ts";
import { knownKeys } from "../intake/found.sql.ts";
import { findPage } from "../intake/found.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import type { PlacedByName } from "../intake/recurring.ts";
import type { Finder } from "../pipeline/finder.ts";
import { type FinderRow, listFinders } from "../read/finders.sql.ts";
import type { ActionResult } from "./action-result.ts";
import { checkActor, checkName } from "./checks.ts";

export interface FinderState {
  readonly name: string;
  readonly isRunning: boolean;
  /** It looks for nothing until it is resumed. */
  readonly isPaused: boolean;
  /** Null when it never ran. */
  readonly lastRun: Date | null;
  /** Of the last run that did not fail: all, those that entered, and those that had entered before. */
  readonly found: number;
  readonly new: number;
  readonly known: number;
  /** Where the next page begins. */
  readonly after: unknown;
  /** Why the last run failed, and how many have in a row. */
  readonly error: { readonly code: string; readonly message: string; readonly failures: number } | null;
  readonly nextRun: Date;
}

export interface DryFinding {
  /** Keys that would enter. */
  readonly new: readonly string[];
  /** Keys that have entered already. */
  readonly known: readonly string[];
  /** Where the next page would begin; as it is now, where the finder does not say. */
  readonly after: unknown;
}

interface FinderOptions {
  readonly by?: string;
  /** Nothing is written; the answer says whether it would be done. */
  readonly dryRun?: boolean;
}

export class Finders {
  readonly #ports: { readonly db: Database; readonly clock: Clock };
  readonly #finders: PlacedByName<Finder>;
  readonly #moved: () => void;

  constructor(
    ports: { readonly db: Database; readonly clock: Clock },
    finders: PlacedByName<Finder>,
    moved: () => void,
  ) {
    this.#ports = ports;
    this.#finders = finders;
    this.#moved = moved;
  }

  /** Every finder that was ever started here, by name. */
  async list(): Promise<FinderState[]> {
    return (await listFinders(this.#ports.db)).map(stateOf);
  }

  /** Has it look now, by whichever worker comes first; with `dryRun` here, and writes nothing. */
  async run(name: string, options: { readonly dryRun: true }): Promise<DryFinding>;
  async run(name: string, options?: { readonly dryRun?: false; readonly by?: string }): Promise<ActionResult>;
  async run(
    name: string,
    options: { readonly dryRun?: boolean; readonly by?: string } = {},
  ): Promise<DryFinding | ActionResult> {
    if (options.dryRun === true) return await this.#dryRun(name);
    const isThere = await hurryFinder(this.#ports.db, checkName(name), checkActor(options.by ?? "api"));
    if (!isThere) return { ok: false, reason: `${unknownName(name)} that is not paused` };
    this.#moved();
    return { ok: true };
  }

  /** Nothing is looked for until it is resumed; a page that is being looked for right now is not kept. */
  async pause(name: string, options: FinderOptions = {}): Promise<ActionResult> {
    if (await this.#setPause(name, true, options)) return { ok: true };
    return { ok: false, reason: await this.#orUnknown(name, "it is paused already") };
  }

  /** Looks at once, from where it was. */
  async resume(name: string, options: FinderOptions = {}): Promise<ActionResult> {
    if (!(await this.#setPause(name, false, options)))
      return { ok: false, reason: await this.#orUnknown(name, "it is not paused") };
    if (options.dryRun !== true) this.#moved();
    return { ok: true };
  }

  async #setPause(name: string, isPaused: boolean, options: FinderOptions): Promise<boolean> {
    const actor = checkActor(options.by ?? "api");
    if (options.dryRun === true) return (await this.#find(checkName(name)))?.is_paused === !isPaused;
    return await setFinderPause(this.#ports.db, checkName(name), isPaused, actor);
  }

  async #orUnknown(name: string, reason: string): Promise<string> {
    return (await this.#find(name)) === undefined ? unknownName(name) : reason;
  }

  async #find(name: string): Promise<FinderRow | undefined> {
    return (await listFinders(this.#ports.db)).find((row) => row.name === name);
  }

  /** Has it begin again at `after`. What entered before stays known. */
  async rewind(name: string, after: unknown, options: FinderOptions = {}): Promise<ActionResult> {
    const text = checkJson(after, { field: "after", maxBytes: VALUE_BYTES });
    const actor = checkActor(options.by ?? "api");
    const isThere =
      options.dryRun === true
        ? (await this.#find(checkName(name))) !== undefined
        : await rewindFinder(this.#ports.db, checkName(name), text, actor);
    return isThere ? { ok: true } : { ok: false, reason: unknownName(name) };
  }

  async #dryRun(name: string): Promise<DryFinding> {
    const { db, clock } = this.#ports;
    const placed = this.#finders.get(name);
    if (placed === undefined)
      throw new InputError("name", `${unknownName(name)}, or it was not given to openSluice here`);
    const { what, first } = placed;
    const after = (await this.#find(name))?.after ?? null;
    const page = await findPage(what, first, after, { clock, stopping: new AbortController().signal });
    const keys = page.entities.map((one) => one.key);
    const known = await knownKeys(db, first.pipeline.name, keys);
    return {
      new: keys.filter((key) => !known.has(key)),
      known: keys.filter((key) => known.has(key)),
      after: page.after === null ? after : (JSON.parse(page.after) as unknown),
    };
  }
}

function unknownName(name: string): string {
  return `there is no finder ${JSON.stringify(safeText(name, 80))}`;
}

function stateOf(row: FinderRow): FinderState {
  const { name, found, fresh, known, after, code, message, failures } = row;
  return {
    name,
    isRunning: row.is_running,
    isPaused: row.is_paused,
    lastRun: row.ran_at,
    found,
    new: fresh,
    known,
    after,
    error: code === null ? null : { code, message: message ?? "", failures },
    nextRun: row.due_at,
  };
}
