// The one database session everybody shares, spoken to over PostgreSQL's own protocol with named statements: PGlite's
// `query()` plans every statement anew, which is most of what a simulation would spend its time on. Synchronous, so
// nothing can happen in between.

import { type PGlite, protocol } from "@electric-sql/pglite";
import type { Statement } from "../../src/engine/db/database.ts";
import { CHANNEL } from "../../src/engine/workers/notify.sql.ts";
import { arrayText, decodeText } from "./sql-values.ts";

interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

const { serialize } = protocol;
const NOW: Statement = { name: "sim-now", text: `select set_config('sluice.now', $1, false)` };

export class SqlSession {
  readonly #pglite: PGlite;
  readonly #prepared = new Map<string, Prepared>();
  #toldNow = "";
  #told: string[] = [];

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.exec("set plan_cache_mode = force_generic_plan");
    this.exec(`listen ${CHANNEL}`);
  }

  /** Runs one statement; `now` is what `sluice.now()` answers meanwhile, in seconds since 1970. */
  run<Row>(statement: Statement, values: readonly unknown[], now: string): Row[] {
    const prepared = this.#prepare(statement);
    const parts: Uint8Array[] = [];
    if (now !== this.#toldNow) {
      const clock = this.#prepare(NOW);
      // Sent along with the statement: a message of its own would cost as much as the statement.
      parts.push(serialize.bind({ statement: clock.name, values: [now] }), serialize.execute());
    }
    // The brackets around JSON are kept: what is text already travels as it is.
    parts.push(
      serialize.bind({ statement: prepared.name, values: values.map(arrayText) }),
      serialize.execute(),
      serialize.sync(),
    );
    try {
      const rows = this.#send(parts);
      const skipped = now === this.#toldNow ? 0 : 1;
      this.#toldNow = now;
      return rows.slice(skipped).map((row) => asObject<Row>(row, prepared));
    } catch (error) {
      // The clock was told in the same transaction, and taken back with it.
      this.#toldNow = "";
      throw error;
    }
  }

  /** What was told on the engine's channel since it was asked: a letter each, empty for most. */
  takeTold(): readonly string[] {
    return this.#told.splice(0);
  }

  /** Statements without parameters and answers. */
  exec(text: string): void {
    this.#send([serialize.query(text)]);
    // A rollback takes back what the session was told inside.
    this.#toldNow = "";
  }

  #prepare(statement: Statement): Prepared {
    // By text and not by name alone: a planted bug changes the one and not the other.
    const known = this.#prepared.get(statement.text);
    if (known !== undefined) return known;
    const name = `s${this.#prepared.size + 1}`;
    const fields: Prepared["fields"][number][] = [];
    this.#send(
      [serialize.parse({ name, text: statement.text }), serialize.describe({ type: "S", name }), serialize.sync()],
      (message) => {
        if (message.name === "rowDescription")
          fields.push(...(message as InstanceType<typeof protocol.messages.RowDescriptionMessage>).fields);
      },
    );
    const prepared = { name, text: statement.text, fields };
    this.#prepared.set(statement.text, prepared);
    return prepared;
  }

  #send(parts: readonly Uint8Array[], look?: (message: { name: string }) => void): (string | null)[][] {
    const answer = this.#answerTo(joined(parts));
    const { rows, told, hasFailed } = readRows(answer);
    this.#told.push(...told);
    if (!hasFailed && look === undefined) return rows;
    let failure: Error | undefined;
    new protocol.Parser().parse(answer, (message) => {
      if (message instanceof protocol.messages.DatabaseError) failure = message;
      else look?.(message);
    });
    if (failure !== undefined) throw failure;
    return rows;
  }

  /**
   * As a stream, which is a promise in name only: all of it has come when the call returns. Asked for in one piece the
   * database would also parse every message for itself, and keep what it made of it.
   */
  #answerTo(message: Uint8Array): Uint8Array {
    const chunks: Uint8Array[] = [];
    const onRawData = (chunk: Uint8Array) => chunks.push(chunk.slice());
    void this.#pglite.execProtocolRawStream(message, { syncToFs: false, onRawData });
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : joined(chunks);
  }
}

const DATA_ROW = "D".charCodeAt(0);
const ERROR = "E".charCodeAt(0);
const NOTIFICATION = "A".charCodeAt(0);

interface Answer {
  readonly rows: (string | null)[][];
  readonly told: readonly string[];
  readonly hasFailed: boolean;
}

/** Rows alone, straight from the bytes: the library makes objects of every message and field, a tenth of a run's time. */
function readRows(answer: Uint8Array): Answer {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const rows: (string | null)[][] = [];
  const told: string[] = [];
  let hasFailed = false;
  // A message is its kind in one byte, its length without that byte, and what it says.
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] === DATA_ROW) rows.push(fieldsOf(bytes, at + 5));
    else if (bytes[at] === NOTIFICATION) told.push(payloadOf(bytes, at));
    else if (bytes[at] === ERROR) hasFailed = true;
  }
  return { rows, told, hasFailed };
}

/** Behind the number of who told it and the channel's name; both texts end with a zero. */
function payloadOf(bytes: Buffer, at: number): string {
  const from = bytes.indexOf(0, at + 9) + 1;
  return bytes.toString("utf8", from, bytes.indexOf(0, from));
}

/** How many there are, and each with its length before it; -1 for null. */
function fieldsOf(bytes: Buffer, from: number): (string | null)[] {
  const fields: (string | null)[] = [];
  let at = from + 2;
  for (let left = bytes.readInt16BE(from); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : bytes.toString("utf8", at, at + length));
    if (length > 0) at += length;
  }
  return fields;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function asObject<Row>(row: readonly (string | null)[], prepared: Prepared): Row {
  const object: Record<string, unknown> = {};
  for (const [index, field] of prepared.fields.entries())
    object[field.name] = decodeText(row[index] ?? null, field.dataTypeID);
  return object as Row;
}
