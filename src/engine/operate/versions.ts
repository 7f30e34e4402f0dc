// Versions of a pipeline beside each other: which share of new requests each gets, holding what one of them has in flight,
// and how they compare. Items finish on the version they started with, whatever is set here.

import { InputError, type Logger } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { checkShares } from "../intake/shares.ts";
import { findOrphans, listVersions, versionFigures } from "../read/versions.sql.ts";
import {
  type Orphans,
  type VersionFigures,
  type VersionState,
  versionFiguresOf,
  versionState,
} from "../read/versions.ts";
import { type ActionResult, resultOf } from "./action-result.ts";
import { checkActor, checkNote, checkScope } from "./checks.ts";
import { setRollout } from "./rollout.sql.ts";
import { setValve } from "./valve.sql.ts";
import { knownVersions } from "./versions.sql.ts";

export interface VersionOptions {
  readonly note?: string;
  readonly by?: string;
  /** Nothing is written; what would be refused is. */
  readonly dryRun?: boolean;
}

const COMPARED = 5_000;
const COMPARED_MOST = 50_000;
/** In each lane: "at least so many" is all that anybody has to know. */
const ORPHANS_COUNTED = 10_000;

export class Versions {
  readonly #db: Queryable;
  readonly #moved: () => void;

  constructor(db: Queryable, moved: () => void) {
    this.#db = db;
    this.#moved = moved;
  }

  /** `set("media", { 1: 90, 2: 10 })`: holds at once, in all processes, for requests that name no version. */
  async set(
    pipeline: string,
    shares: Readonly<Record<string, number>>,
    options: VersionOptions = {},
  ): Promise<ActionResult> {
    const name = nameOf(pipeline);
    const checked = checkShares(shares);
    const note = checkNote(options.note);
    const actor = checkActor(options.by ?? "api");
    const known = new Set((await knownVersions(this.#db, name)).map((one) => String(one.version)));
    const unknown = Object.keys(checked).find((version) => !known.has(version));
    if (unknown !== undefined) {
      const all = [...known].join(", ");
      throw new InputError("shares", `pipeline ${name} has no version ${unknown}; known here: ${all}`);
    }
    if (options.dryRun === true) return resultOf(undefined);
    await setRollout(this.#db, { pipeline: name, shares: checked, note, actor });
    return resultOf(undefined);
  }

  /** Every version some process was ever started with, oldest first. */
  async list(pipeline: string): Promise<VersionState[]> {
    const rows = await listVersions(this.#db, nameOf(pipeline));
    return rows.map(versionState);
  }

  /** Keeps everything that one version has in flight where it is. What was begun outside is looked after to its end. */
  async hold(pipeline: string, version: number, options: VersionOptions = {}): Promise<ActionResult> {
    return await this.#setHold(pipeline, version, true, options);
  }

  async release(pipeline: string, version: number, options: VersionOptions = {}): Promise<ActionResult> {
    return await this.#setHold(pipeline, version, false, options);
  }

  /** How the versions did, each by its newest `items` (5,000). */
  async compare(pipeline: string, options: { readonly items?: number } = {}): Promise<VersionFigures[]> {
    const { items = COMPARED } = options;
    if (!Number.isInteger(items) || items < 1 || items > COMPARED_MOST)
      throw new InputError("items", `items is a whole number from 1 to ${COMPARED_MOST}, got ${String(items)}`);
    const rows = await versionFigures(this.#db, nameOf(pipeline), items);
    return rows.map(versionFiguresOf);
  }

  /** Live items of versions whose code no live worker has: they wait until one comes. */
  async orphans(): Promise<Orphans[]> {
    return await findOrphans(this.#db, ORPHANS_COUNTED);
  }

  async #setHold(pipeline: string, version: number, closed: boolean, options: VersionOptions): Promise<ActionResult> {
    if (version === undefined) throw new InputError("version", "a hold needs a version");
    const scope = checkScope({ pipeline: nameOf(pipeline), version });
    const note = checkNote(options.note);
    const actor = checkActor(options.by ?? "api");
    await knownVersions(this.#db, pipeline, version);
    if (options.dryRun === true) return resultOf(undefined);
    await setValve(this.#db, { kind: "hold", scope, closed, note, actor });
    this.#moved();
    return resultOf(undefined);
  }
}

/** Start-up names what nobody would work on: it waits, and waits unseen by whoever forgot to bring its code. */
export async function nameOrphans(versions: Pick<Versions, "orphans">, log: Logger): Promise<void> {
  for (const { pipeline, version, stage, items } of await versions.orphans()) {
    const what = `no live worker has the code of ${pipeline} version ${version}; open one with it until its items have ended`;
    log.warn("version.orphaned", { pipeline, version, stage, items, what });
  }
}

function nameOf(pipeline: string): string {
  const { pipeline: name } = checkScope({ pipeline });
  if (name === undefined) throw new InputError("pipeline", "pipeline must be text that is not empty");
  return name;
}
