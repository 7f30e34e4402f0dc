// A place where a statement stops between two of the rows it changes. Where it waits for nobody's rows no lock would stop it
// there, and yet others write between its snapshot and its end.

import type { Database, Statement } from "../../src/engine/db/database.ts";
import type { Arena } from "./arena.ts";

const BUILD = `
create or replace function public.stop_at_barrier() returns trigger language plpgsql as
  $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
create or replace trigger barrier before update on sluice.run for each row
  when (current_setting('arena.stops', true) = 'yes') execute function public.stop_at_barrier()`;

/** Only while it is needed: where a row has a trigger, a statement that wants it twice goes another way. */
export async function buildBarrier(arena: Arena): Promise<void> {
  await arena.rows(BUILD);
}

export async function removeBarrier(arena: Arena): Promise<void> {
  await arena.rows("drop trigger barrier on sluice.run");
}

/** For a session that is to stop there. */
export const STOPS = "set arena.stops = 'yes'";

const LOWER: Statement = { name: "lower-barrier", text: "select pg_advisory_xact_lock(1)" };

/** The script of a session that lowers the barrier, and raises it again. */
export const barrier = (db: Database): Promise<unknown> => db.transaction((tx) => tx.query(LOWER, []));
