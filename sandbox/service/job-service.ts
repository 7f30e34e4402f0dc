// A real service behind the HTTP job API: it takes jobs, works on them at its pace, and puts what it made on its shelf. What it was
// doing it does on after a stop.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Place } from "../services/definition.ts";
import { type Answer, type AskedOf, answering } from "./answering.ts";
import { JobBook, type Stored, told } from "./job-book.ts";
import { Shelf } from "./shelf.ts";

export interface JobServiceOptions {
  /** Jobs that are worked on at a time; others are queued. */
  readonly atOnce: number;
  /** Of what has to be worked on. */
  readonly megabytesPerSecond: number;
  /** How its files are called at the end. */
  readonly suffix: string;
  readonly quotaBytes?: number;
}

const TICK_MS = 100;
/** What stands for a film on a shelf. */
const FILE_BYTES = 4_096;
/** It becomes a file's. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
const wanted = z.object({ input: z.object({ name: fileName, megabytes: z.number().min(1).max(100_000) }) });

export async function runJobService(place: Place, options: JobServiceOptions): Promise<void> {
  const memory = join(place.folder, "jobs.json");
  mkdirSync(place.folder, { recursive: true });
  const book = new JobBook(options.atOnce, readStored(memory));
  const shelf = new Shelf({ folder: join(place.folder, "files"), quotaBytes: options.quotaBytes });
  const save = () => {
    // Whole or not at all, whenever it is ended.
    writeFileSync(`${memory}.new`, JSON.stringify(book.stored()));
    renameSync(`${memory}.new`, memory);
  };
  await answering(place.port, place.script, (asked) => {
    const answer = act(asked, { book, shelf, options, script: place.script });
    if (asked.method !== "GET") save();
    return answer;
  });
  const work = worker(book, shelf, { script: place.script, save });
  setInterval(() => {
    try {
      work(performance.now());
    } catch (error) {
      console.error(error); // it goes on as soon as it can
    }
  }, TICK_MS);
}

/** Does what is due by then. What it could not put on the shelf, or not save, it does the next time. */
function worker(book: JobBook, shelf: Shelf, { script, save }: { script: Place["script"]; save: () => void }) {
  let last = performance.now();
  let isUnsaved = false;
  const made: string[] = [];
  return (now: number) => {
    shelf.fill(script().isFull, book.reserved());
    const { ended, isNews } = book.advance((now - last) / 1_000, script());
    last = now;
    isUnsaved ||= isNews;
    made.push(...ended.map(({ file }) => file));
    for (let file = made[0]; file !== undefined; file = made[0]) {
      shelf.put(file, new Uint8Array(FILE_BYTES));
      made.shift();
    }
    if (isUnsaved) save();
    isUnsaved = false;
  };
}

interface Inside {
  readonly book: JobBook;
  readonly shelf: Shelf;
  readonly options: JobServiceOptions;
  readonly script: Place["script"];
}

function act(asked: AskedOf, inside: Inside): Answer {
  const { book, shelf, script } = inside;
  const [, what, id = ""] = asked.url.pathname.split("/");
  if (what === "files") return { status: shelf.has(id) ? 200 : 404, json: { file: id } };
  if (what !== "jobs") return { status: 404, json: { error: "jobs and files are all there is" } };
  if (asked.method === "POST") return start(asked, inside);
  if (asked.method === "DELETE") {
    for (const { file } of book.byIds([id])) shelf.remove(file);
    return { status: book.cancel(id) ? 200 : 404, json: {} };
  }
  const { searchParams } = asked.url;
  const ids = searchParams.get("ids");
  const key = searchParams.get("key");
  if (ids === null && key === null) return { status: 200, json: page(searchParams, inside) };
  const found = ids === null ? book.byKey(key ?? "") : book.byIds(ids.split(","));
  return { status: 200, json: { jobs: found.map((job) => told(job, script())) } };
}

function start({ key, body }: AskedOf, { book, shelf, options, script }: Inside): Answer {
  const parsed = wanted.safeParse(body);
  if (!parsed.success || key === "") return { status: 400, json: { error: "send an Idempotency-Key and what to do" } };
  const [same] = book.byKey(key);
  if (same !== undefined) return { status: 200, json: { id: same.id } };
  shelf.fill(script().isFull, book.reserved());
  if (!shelf.hasRoom(book.reserved() + FILE_BYTES))
    return { status: 507, json: { error: "ENOSPC: no space left within the quota" } };
  const { name, megabytes } = parsed.data.input;
  const seconds = megabytes / options.megabytesPerSecond;
  const job = book.start(key, body, { seconds, bytes: FILE_BYTES, file: `${name}${options.suffix}` });
  return { status: 201, json: { id: job.id } };
}

function page(asked: URLSearchParams, { book, script }: Inside): unknown {
  const limit = Math.max(1, Number(asked.get("limit") ?? 100));
  const from = Number(asked.get("after") ?? 0);
  const all = book.byPrefix(asked.get("prefix") ?? "").map((job) => told(job, script()));
  const jobs = all.slice(from, from + limit).map(({ id, key, status }) => ({ id, key, status }));
  return { jobs, next: from + limit < all.length ? String(from + limit) : null };
}

/** Written by this very service. */
function readStored(file: string): Stored | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Stored) : undefined;
}
