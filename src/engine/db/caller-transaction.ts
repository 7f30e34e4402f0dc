// Joining a transaction that the caller opened: a `pg` client, or a Kysely transaction.

import type { CompiledQuery } from "kysely";
import { InputError } from "../../kit/index.ts";
import type { Queryable } from "./database.ts";

/** As much of a `pg` client as is needed. It must have begun a transaction. */
export interface PgClientLike {
  query(config: { readonly text: string; readonly values: unknown[] }): Promise<{ readonly rows: unknown[] }>;
}

/** As much of a Kysely transaction as is needed. */
export interface KyselyTransactionLike {
  readonly isTransaction: boolean;
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: unknown[] }>;
}

export type CallerTransaction = PgClientLike | KyselyTransactionLike;

export function joinTransaction(tx: CallerTransaction): Queryable {
  if (typeof tx !== "object" || tx === null)
    throw new InputError("tx", "tx must be a pg client or a Kysely transaction");
  if ("executeQuery" in tx) {
    if (!tx.isTransaction) throw new InputError("tx", "tx must be a Kysely transaction, not the database itself");
    return {
      async query<Row>(statement: { readonly text: string }, values: readonly unknown[]): Promise<Row[]> {
        // Whoever brings such a transaction has loaded it already; for all others it would be half of what a start costs.
        const kysely = await import("kysely");
        return (await tx.executeQuery(kysely.CompiledQuery.raw(statement.text, [...values]))).rows as Row[];
      },
    };
  }
  if (typeof tx?.query !== "function") throw new InputError("tx", "tx must be a pg client or a Kysely transaction");
  return {
    async query<Row>(statement: { readonly text: string }, values: readonly unknown[]): Promise<Row[]> {
      return (await tx.query({ text: statement.text, values: [...values] })).rows as Row[];
    },
  };
}
