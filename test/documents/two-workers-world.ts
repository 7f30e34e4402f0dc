// Two workers on one database in this process, with a clock of the test's own. Each can be stopped at a point of its work as a process is that
// the system stops: it does nothing more, not even beat, until it goes on, or never does.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  arrive,
  documentPipelines,
  documentStore,
  enterAll,
  GATEWAY,
  prepareDocumentTables,
  Room,
} from "../../src/apps/documents/index.ts";
import type { Gateway } from "../../src/connectors/index.ts";
import type { Database } from "../../src/engine/db/database.ts";
import { type Around, type ItemId, parseId } from "../../src/engine/index.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { VirtualClock } from "../../src/engine/testing/virtual-clock.ts";
import { inlineHeart } from "../../src/engine/workers/heart.ts";
import { inlineSuspects } from "../../src/engine/workers/suspects.ts";
import { seededRandom, silentLogger } from "../../src/kit/index.ts";
import { smallPdf } from "../support/pretend-documents.ts";

/** In the order in which a document passes them. */
export const POINTS = ["asking", "made", "converted", "saving", "saved"] as const;
export type Point = (typeof POINTS)[number];

/** A process that stands still where it is told to, until it goes on. */
export class Process {
  readonly pid: number;
  #stopsAt: Point | undefined;
  #stopped: PromiseWithResolvers<void> | undefined;

  constructor(pid: number, stopsAt?: Point) {
    this.pid = pid;
    this.#stopsAt = stopsAt;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  async pass(point: Point): Promise<void> {
    if (this.#stopsAt === point && !this.isStopped) {
      this.#stopsAt = undefined;
      this.#stopped = Promise.withResolvers();
    }
    await this.running();
  }

  goOn(): void {
    this.#stopped?.resolve();
    this.#stopped = undefined;
  }

  /** Whatever a stopped process has begun does not come to an end. */
  async running(): Promise<void> {
    while (this.#stopped !== undefined) await this.#stopped.promise;
  }
}

/** What a process says to the database, and hears from it, while it runs. */
function through(db: Database, process: Process): Database {
  const gated = async <T>(ask: () => Promise<T>): Promise<T> => {
    await process.running();
    const answer = await ask();
    await process.running();
    return answer;
  };
  return {
    query: (statement, values) => gated(() => db.query(statement, values)),
    transaction: (work) => gated(() => db.transaction(work)),
    listen: (...given) => db.listen(...given),
    close: async () => undefined,
  };
}

/** No two of its answers are alike: two results of one document would be two files. */
function gatewayOf(process: Process, made: Map<string, string[]>): Gateway {
  return {
    about: async () => ({ name: "gateway", version: "1", mappings: null }),
    async convert({ key, output }) {
      await process.pass("asking");
      const before = made.get(key) ?? [];
      const xml = `<document key="${key}" conversion="${before.length + 1}"/>`;
      made.set(key, [...before, xml]);
      await writeFile(output, xml);
      await process.pass("made");
      return { bytes: xml.length, sha256: createHash("sha256").update(xml).digest("hex"), pages: 1 };
    },
  };
}

const stopping = (process: Process): Around =>
  async function stopAfter(visit, next) {
    await next();
    if (visit.stage === "convert") await process.pass("converted");
    if (visit.stage === "store") await process.pass("saved");
  };

const COMPLETED = {
  name: "test-completed",
  text: `
select d.result, (select count(*)::int from sluice.journal j where j.item_id = d.item_id and j.ended = 1) as times
from documents.document d where d.item_id = $1`,
};

export class TwoWorkers {
  /** What the gateway made, by key. */
  readonly made = new Map<string, string[]>();
  readonly #folder = mkdtempSync(path.join(tmpdir(), "sluice-two-workers-"));
  readonly #places = { uploads: path.join(this.#folder, "uploads"), results: path.join(this.#folder, "results") };
  readonly #db: Database;
  readonly #clock: VirtualClock;
  readonly #client: Promise<Sluice>;
  /** Those that the client was opened with: others' of the same name are not its own. */
  readonly #own: ReturnType<typeof documentPipelines>;
  #pids = 0;
  #names = 0;

  private constructor(db: Database, clock: VirtualClock) {
    mkdirSync(this.#places.results);
    this.#db = db;
    this.#clock = clock;
    const client = new Process(0);
    this.#own = this.#pipelines(client, through(db, client));
    this.#client = this.#open(client, false, this.#own);
  }

  static async open(): Promise<TwoWorkers> {
    const db = await openPglite();
    const world = new TwoWorkers(db, await VirtualClock.over(db, new Date("2030-01-01T00:00:00Z")));
    await prepareDocumentTables((await world.#client).tables);
    return world;
  }

  readonly #newName = () => {
    this.#names += 1;
    return `n${this.#names}`;
  };

  #pipelines(process: Process, db: Database) {
    const store = documentStore(async () => db);
    const touchResult: typeof store.touchResult = async (...given) => {
      await store.touchResult(...given);
      await process.pass("saving");
    };
    return documentPipelines({ places: this.#places, newName: this.#newName, store: { ...store, touchResult } });
  }

  async #open(process: Process, isWorking: boolean, pipelines?: ReturnType<typeof documentPipelines>): Promise<Sluice> {
    const [clock, log, db] = [this.#clock, silentLogger, through(this.#db, process)];
    const { once } = pipelines ?? this.#pipelines(process, db);
    const identity = { name: `w${process.pid}`, host: `h${process.pid}`, pid: process.pid, pidStarted: "1" };
    const worker: NonNullable<Parameters<typeof Sluice.start>[0]["worker"]> = {
      ...{ identity, heart: (listener) => inlineHeart(db, { clock, log, listener }), isGone: () => false },
      ...{ suspects: inlineSuspects(), deadAfterMs: 8_000, concurrency: 4, pollMs: 1_000, graceMs: 0 },
    };
    return await Sluice.start(
      {
        ...{ db, clock, log, random: seededRandom(process.pid + 1), notify: false, finders: [], schedules: [] },
        services: { [GATEWAY]: { once: gatewayOf(process, this.made) } },
        around: [stopping(process)],
        worker: isWorking ? worker : undefined,
      },
      [once],
    );
  }

  /** A worker that stops at that point. */
  async start(stopsAt: Point | undefined): Promise<{ readonly process: Process; readonly sluice: Sluice }> {
    this.#pids += 1;
    const process = new Process(this.#pids, stopsAt);
    return { process, sluice: await this.#open(process, true) };
  }

  async upload(): Promise<ItemId> {
    const sluice = await this.#client;
    const room = new Room({ places: this.#places, leastBytes: 0 });
    const ports = {
      ...{ tables: sluice.tables, places: this.#places, limits: { fileBytes: 1_000 }, newName: this.#newName, room },
    };
    const content = smallPdf(`two workers ${this.#names}`);
    const sent = async function* () {
      yield { name: "a.pdf", content: pieces(content) };
    };
    const { once: pipeline } = this.#own;
    const by = { owner: "mia", mapping: "layout", dryRun: false };
    const [one] = await enterAll({ sluice, pipeline }, await arrive(ports, sent(), false), by);
    if (one === undefined || "refused" in one || one.entered.item === null) throw new Error("it was not taken");
    return one.entered.item;
  }

  /** Lets time pass until it is so. What is done with files takes time of the real kind. */
  async until(isSo: () => boolean | Promise<boolean>, mostMs = 3_600_000): Promise<boolean> {
    for (let passed = 0; passed < mostMs; passed += STEP_MS) {
      if (await isSo()) return true;
      await this.#clock.jump(STEP_MS);
      await sleep(1);
    }
    return await isSo();
  }

  async came(item: ItemId): Promise<{ readonly result: string | null; readonly times: number }> {
    type Row = { readonly result: string | null; readonly times: number };
    const [row] = await this.#db.query<Row>(COMPLETED, [parseId("item", item)]);
    return row ?? { result: null, times: 0 };
  }

  /** Results that have their place, by their names. */
  async results(): Promise<ReadonlyMap<string, string>> {
    const all = await readdir(this.#places.results, { recursive: true, withFileTypes: true });
    const whole = all.filter((one) => one.isFile() && one.name.endsWith(".xml"));
    const read = whole.map(async ({ name, parentPath }) => [name, await readFile(path.join(parentPath, name), "utf8")]);
    return new Map((await Promise.all(read)) as [string, string][]); // each is a name and a text
  }

  async stop(sluice: Sluice): Promise<void> {
    let isClosed = false;
    const closing = sluice.close().then(() => {
      isClosed = true;
    });
    await this.until(() => isClosed);
    await closing;
  }

  async close(): Promise<void> {
    await this.stop(await this.#client);
    await this.#db.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const STEP_MS = 500;

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
