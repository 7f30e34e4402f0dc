// A database with very many items in every state, and a list by every term of the filter language.

import type { Queryable } from "../../src/engine/db/database.ts";
import { findIds } from "../../src/engine/read/find-id.sql.ts";
import { IN_ORDER } from "../../src/engine/read/in-order.sql.ts";
import { listItems } from "../../src/engine/read/list-items.ts";
import { listRequests } from "../../src/engine/read/list-requests.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { idsBeginning } from "../../src/kit/index.ts";
import { ITEM_FIELDS, REQUEST_FIELDS } from "../../src/server/filter/fields.ts";
import { itemsMeant, requestsMeant } from "../../src/server/filter/meaning.ts";
import { parseFilter } from "../../src/server/filter/parse.ts";
import type { TestServer } from "../support/server.ts";
import { type BigDatabase, EPOCH, load, openBig } from "./database.ts";

const WORKERS_MOST = 10;
const PAST = "sluice.now() - interval '1 hour' + n * interval '1 microsecond'";
const FUTURE = "sluice.now() + interval '1 hour' + n * interval '1 microsecond'";

/**
 * Half of them live, and of those one in a hundred is held by a worker, the oldest two in a hundred are due behind a closed valve, and
 * the next two in line; a hundred are somebody's; a few, the oldest, have failed. One in
 * three requests shares its key with all others of them.
 */
export async function fillLists(server: TestServer, name: string, rows: number): Promise<BigDatabase> {
  const big = await openBig(server, name);
  const { client, lanes } = big;
  await load(big, { count: rows / 2, lane: lanes[0], readyAt: PAST, perRequest: 4 });
  await load(big, { count: rows / 2, lane: lanes[0], readyAt: FUTURE, perRequest: 4 });
  await client.query("delete from sluice.run where id <= $1", [rows / 2]);
  await client.query(
    `update sluice.item set state = case when id > $1 then 0 when id <= 20 then 2 else 1 end,
       finished_at = case when id <= $1 then sluice.now() end, owner = case when id % $2 = 0 then 'ann' end,
       key = case when (id / 4 + 1) % 3 = 0 then 'shared' else 'k' || (id / 4 + 1) end,
       title = 'Film ' || id, input = jsonb_build_object('n', id)`,
    [rows / 2, rows / 100],
  );
  const due = [rows / 2 + rows / 50, rows / 2 + rows / 25];
  await client.query(
    `update sluice.run set ready_at = sluice.now() - interval '1 hour' + id * interval '1 microsecond',
       lane = case when id <= $2 then $1::int else lane end, stage = case when id <= $2 then 1 else 0 end
     where id <= $3`,
    [lanes[1], ...due],
  );
  // More work is done by more workers, each with a page of it in hand at least.
  const workers = Math.min(WORKERS_MOST, Math.ceil(rows / 10_000));
  for (let more = 1; more < workers; more += 1) {
    const identity = { name: `big-${more}`, host: "here", pid: 1 + more, pidStarted: "1" };
    await enterWorker(big.db, identity, String(Number(EPOCH) + more), [big.pipeline]);
  }
  await client.query(
    "update sluice.run set state = 1, epoch = $1::bigint + id / 100 % $2, attempts = 3 where id % 100 = 0",
    [EPOCH, workers],
  );
  await client.query(
    `insert into sluice.journal (at, item_id, version, kind, stage, ended, attempt, code, message)
     select sluice.now(), id, 1, 1, 0, state, 1, case state when 2 then 'GW_TIMEOUT' end, case state when 2 then 'no answer' end
     from sluice.item where state <> 0`,
  );
  await client.query("update sluice.request set key = case when id % 3 = 0 then 'shared' else 'k' || id end");
  await client.query(
    `insert into sluice.request_owner (request_id, owner, joined_at)
     select id, 'ann', sluice.now() from sluice.request where id % $1 = 0`,
    [rows / 400],
  );
  // As the engine's lists are read; its own is for a transaction.
  await client.query(IN_ORDER.text.replaceAll("true", "false"));
  return big;
}

const ITEMS = [
  "",
  "state:queued",
  "state:running",
  "state:waiting",
  "state:needs-you",
  "state:done",
  "state:failed",
  "state:cancelled",
  "state:failed,waiting",
  "-state:done",
  "pipeline:big",
  "pipeline:big version:7",
  "-pipeline:big",
  "stage:open",
  "stage:closed",
  "-stage:open",
  "service:indexer",
  "-service:indexer",
  "error:GW_TIMEOUT",
  "error:NOBODY",
  "-error:GW_TIMEOUT",
  "reason:not_available",
  "reason:scheduled",
  "reason:queued",
  "reason:paused",
  "reason:no_worker",
  "reason:service_down",
  "reason:paused,scheduled",
  "-reason:scheduled",
  "-reason:queued,paused",
  "owner:ann reason:paused",
  "worker:big",
  "worker:nobody",
  "owner:ann",
  "owner:bob",
  "owner:ann state:failed",
  "owner:ann error:GW_TIMEOUT",
  "-owner:ann",
  "key:k50",
  "key:shared",
  "key:shared state:failed",
  "title:film",
  "title:nothing",
  "-title:film",
  "message:answer",
  "message:nothing",
  "-message:answer",
  "data.n:50",
  "owner:ann title:film",
  "Film",
  "request:50",
  "part:nas",
  "priority:1",
  "-priority:3",
  "attempt:>2",
  "attempt:<1",
  "age:>1h",
  "age:<1h",
  "id:5k",
  "id:itm_00000",
  "k50",
  "shared",
  "k",
  "nothing-begins-so",
] as const;

const REQUESTS = [
  "",
  "status:pending",
  "status:failed",
  "-status:pending",
  "owner:ann",
  "owner:bob",
  "-owner:ann",
  "key:k50",
  "key:shared",
  "-key:shared",
  "age:>1h",
  "age:<1h",
  "id:5k",
  "owner:ann status:completed",
] as const;

const IDS = [
  ["item", "itm_00000", undefined],
  ["item", "5k", undefined],
  ["item", "itm_00000", "ann"],
  ["item", "itm_00000", "bob"],
  ["request", "req_00000", undefined],
  ["request", "req_00000", "ann"],
  ["request", "req_00000", "bob"],
] as const;

/** Of what these find there are more among more, until they too look at no more than they may. */
const GROWING: ReadonlySet<string> = new Set([
  ...["items state:running", "items worker:big", "items k50", "items reason:queued", "items reason:paused"],
  ...["requests key:shared", "requests id:5k"],
]);

export interface Look {
  readonly name: string;
  readonly grows: boolean;
  run(db: Queryable): Promise<unknown>;
}

function filterOf(text: string, fields: typeof ITEM_FIELDS | typeof REQUEST_FIELDS) {
  const read = parseFilter(text, fields);
  if ("problem" in read) throw new Error(`${text}: ${read.problem.sentence}`);
  return read.filter;
}

export const LOOKS: readonly Look[] = [
  ...ITEMS.map((text) => {
    const filter = itemsMeant(filterOf(text, ITEM_FIELDS));
    const name = `items ${text}`;
    return { name, grows: GROWING.has(name), run: (db: Queryable) => listItems(db, () => undefined, filter) };
  }),
  ...IDS.map(([kind, text, owner]) => ({
    name: `${kind} id ${text} ${owner ?? ""}`,
    grows: false,
    run: (db: Queryable) => findIds(db, kind, { ranges: idsBeginning(kind, text) ?? [], owner }),
  })),
  ...REQUESTS.map((text) => {
    const filter = requestsMeant(filterOf(text, REQUEST_FIELDS));
    if ("sentence" in filter) throw new Error(filter.sentence);
    const name = `requests ${text}`;
    return { name, grows: GROWING.has(name), run: (db: Queryable) => listRequests(db, filter) };
  }),
];
