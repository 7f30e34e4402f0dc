import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkJson } from "../../kit/index.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { insertAlike, type Kind } from "./alike.sql.ts";
import { insertRequests } from "./submit.sql.ts";

let db: PgliteDatabase;
beforeAll(async () => {
  db = await openPglite();
});
afterAll(() => db.close());

const plain: Kind = {
  ...{ pipeline: 1, lane: 1, priority: 3, delayMs: 0, owner: null, fairness: null, key: null },
  ...{ deadlineMs: null, trace: null },
};
const everything: Kind = {
  ...{ pipeline: 2, lane: 7, priority: 5, delayMs: 1_500, owner: "ann", fairness: "f", key: "k" },
  ...{ deadlineMs: 60_000, trace: "00-trace-01" },
};

const textOf = (value: unknown) => checkJson(value, { field: "input", maxBytes: 1_000 });
const AWKWARD = ['"', "\\", "a\nb\r\n", "\t\u0001", "{1,2}", "\u2028", "", "films 🎞", "null"];

/** All that is stored of a request, as it stands in the tables; times as so much after it was stored. */
async function storedOf(request: string) {
  const { rows } = await db.pglite.query<Record<string, unknown>>(
    `select to_jsonb(q) - '{id,created_at}'::text[] as request, o.owner as joined,
      to_jsonb(i) - '{id,request_id,nonce,created_at}'::text[] as item,
      to_jsonb(r) - '{id,request_id,ready_at,since,deadline_at}'::text[] as run, r.ready_at - r.since as delay,
      r.deadline_at - r.since as deadline, to_jsonb(j) - '{xid,seq,at,item_id,request_id}'::text[] as journal,
      i.created_at = q.created_at and r.since = q.created_at and j.at = q.created_at and o.joined_at is not distinct from
        case when o.owner is not null then q.created_at end as at_once,
      j.request_id = q.id and r.request_id = q.id as is_its_own
    from sluice.request q
    join sluice.item i on i.request_id = q.id
    join sluice.run r on r.id = i.id
    join sluice.journal j on j.item_id = i.id
    left join sluice.request_owner o on o.request_id = q.id
    where q.id = $1
    order by i.id`,
    [request],
  );
  return rows;
}

describe.each([
  ["nothing special", plain, null],
  ["everything", everything, ["one", null, "three"]],
] as const)("a request whose items are alike, with %s", (_, kind, titles) => {
  it("is stored as the statement for any items stores it", async () => {
    const inputs = ['{"n":1}', "null", "[]"];
    const alike = await insertAlike(db, kind, "7", { inputs, titles });
    const items = inputs.map((input, index) => {
      return { ...kind, request: 1, input, nonce: "7", title: titles?.[index] ?? null };
    });
    const asked = { total: 3, key: kind.key, owner: kind.owner, parent: null };
    const [any] = await insertRequests(db, [asked], items);
    const rows = await storedOf(alike.request);
    expect(rows).toHaveLength(3);
    expect(rows.every((row) => row.at_once && row.is_its_own)).toBe(true);
    expect(rows).toEqual(await storedOf(any?.request_id as string));
  });
});

it("answers with ids in the order of the inputs, which is the order of the ids", async () => {
  const inputs = Array.from({ length: 3_000 }, (_, n) => textOf({ n }));
  const made = await insertAlike(db, plain, "7", { inputs, titles: null });
  const { rows } = await db.pglite.query<{ id: string; n: number }>(
    "select i.id::text, (input -> 'n')::int as n from sluice.item i where i.request_id = $1 order by i.id",
    [made.request],
  );
  expect(rows.map((row) => row.id)).toEqual(made.items);
  expect(rows.map((row) => row.n)).toEqual(inputs.map((_, n) => n));
});

it("gives each item a nonce of its own, and others where another was drawn", async () => {
  const inputs = Array.from({ length: 3_000 }, () => "{}");
  const one = await noncesOf((await insertAlike(db, plain, "9223372036854775807", { inputs, titles: null })).request);
  const other = await noncesOf((await insertAlike(db, plain, "8", { inputs, titles: null })).request);
  expect(new Set([...one, ...other]).size).toBe(6_000);
});

async function noncesOf(request: string): Promise<string[]> {
  const { rows } = await db.pglite.query<{ nonce: string }>(
    "select nonce::text from sluice.item where request_id = $1",
    [request],
  );
  return rows.map((row) => row.nonce);
}

it("keeps every text as it is", async () => {
  const inputs = AWKWARD.map((text) => textOf({ [text]: text }));
  const made = await insertAlike(db, plain, "7", { inputs, titles: AWKWARD });
  const { rows } = await db.pglite.query<{ input: unknown; title: string }>(
    "select input, title from sluice.item i where i.request_id = $1 order by i.id",
    [made.request],
  );
  expect(rows).toEqual(AWKWARD.map((text) => ({ input: { [text]: text }, title: text })));
});

it("stores nothing of inputs that are not one to a line", async () => {
  const before = await countItems();
  const own = { inputs: ['{"a":\n1}', "{}"], titles: null };
  await expect(insertAlike(db, plain, "7", own)).rejects.toThrow();
  expect(await countItems()).toBe(before);
});

async function countItems(): Promise<number> {
  const { rows } = await db.pglite.query<{ n: number }>("select count(*)::int as n from sluice.item");
  return rows[0]?.n ?? 0;
}
