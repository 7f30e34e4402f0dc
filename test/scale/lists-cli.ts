// node test/scale/lists-cli.ts [--rows 1000000]: how long the first page of every filter takes, beside the same among 10,000.

import { parseArgs } from "node:util";
import type { Queryable, Statement } from "../../src/engine/db/database.ts";
import { type BigDatabase, startBigServer } from "./database.ts";
import { fillLists, LOOKS, type Look } from "./lists.ts";

const FEW = 10_000;
const MOST = 10;
const TIMES = 15;

const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });

/** Prepared and planned as the engine's connections do. */
function prepared({ client }: BigDatabase): Queryable {
  return {
    query: async <Row>({ name, text }: Statement, given: readonly unknown[]) =>
      (await client.query({ name, text, values: [...given] })).rows as Row[],
  };
}

/** In turns, so that a machine that is busy with other things is so for both. */
async function mediansOf(databases: readonly Queryable[], look: Look): Promise<number[]> {
  const took = databases.map((): number[] => []);
  for (let time = -1; time < TIMES; time += 1) {
    for (const [index, db] of databases.entries()) {
      const began = performance.now();
      await look.run(db);
      // The first one is planned.
      if (time >= 0) took[index]?.push(performance.now() - began);
    }
  }
  return took.map((all) => all.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? Number.NaN);
}

const server = await startBigServer();
try {
  const few = await fillLists(server, "few", FEW);
  const many = await fillLists(server, "many", Number(values.rows));
  for (const { client } of [few, many]) {
    await client.query("vacuum analyze");
    await client.query("set plan_cache_mode = force_generic_plan");
    await client.query("set jit = off");
  }
  let worst = 0;
  for (const look of LOOKS) {
    const [small = Number.NaN, large = Number.NaN] = await mediansOf([prepared(few), prepared(many)], look);
    const ratio = large / small;
    worst = Math.max(worst, ratio);
    process.stdout.write(
      `${ratio.toFixed(2).padStart(6)}  ${small.toFixed(1).padStart(7)} ms  ${large.toFixed(1).padStart(7)} ms  ${look.name}\n`,
    );
  }
  process.stdout.write(
    `${LOOKS.length} lists: at most ${worst.toFixed(1)} times as long among ${values.rows} as among ${FEW}\n`,
  );
  process.exitCode = worst <= MOST ? 0 : 1;
  await few.close();
  await many.close();
} finally {
  await server.stop();
}
