// Asks the server that runs on our data folder whether it is up, knows our password, and really serves that folder.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import { SUPERUSER } from "./initialise.ts";
import { LOOPBACK } from "./port.ts";
import { createDatabase, systemIdentifier } from "./server.sql.ts";
import type { Place } from "./site.ts";

const DATABASE = "sluice";
const LIMIT_MS = 10_000;

export function urlOf(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${port}/${DATABASE}`;
}

export async function readPassword(place: Place): Promise<string> {
  const file = join(place.home, "password");
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new EmbeddedDatabaseError(
      "NOT_OURS",
      `There is a database in ${place.cluster}, but the file with its password, ${file}, is missing. Put it back from a backup.`,
    );
  }
}

/** True: up, and ours. False: not yet, or no longer. Throws when it is up and not ours. */
export async function answers(place: Place, port: number, password: string): Promise<boolean> {
  try {
    await verify(place, port, password);
    return true;
  } catch (error) {
    // 57P03 starting or stopping, 57P01 stopped under us, 53300 for a moment more connections than it takes.
    if (hasCode(error, "ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03", "57P01", "57P02", "53300")) return false;
    // The driver's own words, without a code, for a server that died between connecting and answering.
    if (error instanceof Error && error.message.startsWith("Connection terminated")) return false;
    if (hasCode(error, "3D000")) {
      // Killed between initdb and here, at the first start.
      await create(port, password);
      return true;
    }
    if (hasCode(error, "28P01", "28000")) {
      throw new EmbeddedDatabaseError(
        "NOT_OURS",
        `The database running in ${place.cluster} does not accept the password in ${place.home}/password.`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function verify(place: Place, port: number, password: string): Promise<void> {
  await connected(urlOf(port, password), async (client) => {
    const { rows } = await client.query<{ system_identifier: string }>(systemIdentifier.text);
    // The first eight bytes of pg_control are the number initdb gave this database.
    const control = await readFile(join(place.cluster, "global", "pg_control"));
    if (rows[0]?.system_identifier === control.readBigUInt64LE(0).toString()) return;
    throw new EmbeddedDatabaseError("NOT_OURS", `The server on port ${port} does not serve ${place.cluster}.`);
  });
}

async function create(port: number, password: string): Promise<void> {
  const url = urlOf(port, password).replace(/\/[^/]*$/, "/postgres");
  await connected(url, async (client) => {
    await client.query(createDatabase.text);
  });
}

async function connected(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS });
  // A server that stops while we are connected says so by an event as well as by the failing query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
