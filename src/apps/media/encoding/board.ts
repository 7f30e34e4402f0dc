// The board, as the stage that supervises jobs has it: a job is put there, looked at and taken off. Who does it is not its business.

import { join } from "node:path";
import type { EncodingProfile } from "../../../connectors/index.ts";
import { type ItemId, type Listed, parseId, type Queryable, type Seen } from "../../../engine/index.ts";
import { type Random, systemRandom } from "../../../kit/index.ts";
import type { Encoded } from "../encoded.ts";
import { audioOf, folderOf, listJobs, lookAtJobs, noteStill, oldJobs, putJob, takeOff } from "./board.sql.ts";
import { clear, layOut } from "./board-files.ts";
import { ableEncoders } from "./encoders.sql.ts";
import { listedJob, seenJobs } from "./standing.ts";

export interface BoardOptions {
  readonly db: () => Promise<Queryable>;
  /** Where films are encoded to; a folder for each job. */
  readonly folder: string;
  /** Who has not been heard of for so long is offline. */
  readonly lostMs: number;
  /** How long what was encoded stays after its item is completed. */
  readonly keepMs: number;
  readonly random?: Random;
}

export interface Posting {
  readonly key: string;
  readonly item: ItemId;
  readonly profile: EncodingProfile;
  readonly source: string;
  readonly sourceBytes: number;
  /** Where there is nothing to do. */
  readonly outcome: Encoded | null;
}

export interface EncodeBoard {
  /** Who could make it now. */
  able(profile: EncodingProfile): Promise<readonly string[]>;
  /** The same key is the same job. */
  put(posting: Posting): Promise<string>;
  find(key: string): Promise<string | null>;
  look(refs: readonly string[]): Promise<readonly Seen[]>;
  /** With what was made of it. */
  cancel(ref: string): Promise<void>;
  list(prefix: string): Promise<readonly Listed[]>;
  /** Whoever has it let it stand still. Answers with who that was. */
  stoodStill(ref: string): Promise<string | undefined>;
}

export function encodeBoard({ db, folder, lostMs, keepMs, random = systemRandom }: BoardOptions): EncodeBoard {
  const cancel = async (key: string) => {
    const tables = await db();
    const of = await folderOf(tables, key);
    if (of === undefined) return;
    // The folder first: whoever dies in between is asked again, and finds the row.
    await clear(of);
    await takeOff(tables, key);
  };
  return {
    cancel,
    able: async (profile) => ableEncoders(await db(), { codec: profile.codec, audio: audioOf(profile) }, lostMs),
    async put({ key, item, profile, source, sourceBytes, outcome }) {
      const own = join(folder, key);
      const marker = random.token().toString(16);
      if (outcome === null) await layOut(own, marker);
      const job = { key, encoding: profile.name, profile, source, sourceBytes, folder: own, marker, outcome };
      await putJob(await db(), { ...job, item: parseId("item", item) });
      return key;
    },
    find: async (key) => ((await folderOf(await db(), key)) === undefined ? null : key),
    look: async (refs) => seenJobs(refs, await lookAtJobs(await db(), refs, lostMs)),
    async list(prefix) {
      const tables = await db();
      // Whoever holds the board against the items clears away what those need no more.
      for (const key of await oldJobs(tables, keepMs)) await cancel(key);
      return (await listJobs(tables, prefix)).map(listedJob);
    },
    stoodStill: async (ref) => noteStill(await db(), ref),
  };
}
