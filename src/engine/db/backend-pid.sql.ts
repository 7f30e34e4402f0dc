// The server process behind a connection.

import type { Queryable, Statement } from "./database.ts";

const BACKEND_PID: Statement = { name: "backend-pid", text: `select pg_backend_pid() as pid` };

export async function backendPid(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ pid: number }>(BACKEND_PID, []);
  return row?.pid ?? null;
}
