// One connection whose every statement waits for permission. What runs on it is the engine's own code: between two of its
// statements the explorer decides who goes next.

import pg from "pg";
import type { Database, Queryable, Statement } from "../../src/engine/db/database.ts";
import { KeptPlans } from "./kept-plans.ts";

interface Step {
  readonly name: string;
  send(): Promise<void>;
}

/**
 *   asking   wants to send a statement and has not been allowed to
 *   sent     the server has it: running, or waiting for a lock
 *   over     its script has ended
 */
export type SessionState = "asking" | "sent" | "over";

/** Of the event loop: whatever is known by now has been acted upon. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class SteppedSession {
  readonly name: string;
  readonly pid: number;
  readonly #client: pg.Client;
  #next: Step | undefined;
  state: SessionState = "over";
  failure: unknown;
  /** Resolves when what was sent has come back, and what follows from it has been asked for. */
  back: Promise<unknown> = Promise.resolve();

  readonly #plans = new KeptPlans();
  readonly #seen: (statement: Statement) => void;

  private constructor(name: string, client: pg.Client, pid: number, seen: (statement: Statement) => void) {
    this.name = name;
    this.#client = client;
    this.pid = pid;
    this.#seen = seen;
  }

  static async open(
    name: string,
    settings: pg.ClientConfig,
    seen: (statement: Statement) => void,
  ): Promise<SteppedSession> {
    const client = new pg.Client(settings);
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return new SteppedSession(name, client, rows[0]?.pid ?? 0, seen);
  }

  /** Begins the script and returns when it asks for its first statement, or has ended without one. */
  async begin(script: (db: Database) => Promise<unknown>): Promise<void> {
    this.state = "sent";
    this.failure = undefined;
    script(this.#database()).then(
      () => this.#end(),
      (error: unknown) => {
        this.failure = error;
        this.#end();
      },
    );
    // A script does nothing but ask the database, so a turn of the event loop brings it to its first statement.
    await turn();
  }

  get nextStep(): string {
    return this.#next?.name ?? "";
  }

  /** Sends the statement it asks for, and does not wait for the answer. */
  send(): void {
    const step = this.#next;
    if (step === undefined) throw new Error(`${this.name} asks for nothing`);
    this.#next = undefined;
    this.state = "sent";
    this.back = step.send().then(turn);
  }

  /** Settings for the next script, instead of those of the last; most have none. */
  async prepare(settings = ""): Promise<void> {
    await this.#client.query(`reset all; ${settings}`);
    this.#plans.areGiven = settings !== "";
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  #end(): void {
    this.state = "over";
  }

  #step<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#next = {
        name,
        send: () =>
          this.#client.query(this.#plans.of(text, values)).then(
            (result) => resolve(result.rows as Row[]),
            (error: unknown) => reject(error),
          ),
      };
      this.state = "asking";
    });
  }

  #database(): Database {
    const query = <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
      this.#seen(statement);
      return this.#step<Row>(statement.name, statement.text, values);
    };
    return {
      query,
      transaction: async <T>(work: (tx: Queryable) => Promise<T>): Promise<T> => {
        await this.#step("begin", "begin", []);
        try {
          const result = await work({ query });
          await this.#step("commit", "commit", []);
          return result;
        } catch (error) {
          await this.#step("rollback", "rollback", []);
          throw error;
        }
      },
      listen: () => Promise.reject(new Error("a stepped session does not listen")),
      close: () => this.close(),
    };
  }
}
