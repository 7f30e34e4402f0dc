import { afterAll, beforeAll, expect, it } from "vitest";
import { manualClock, silentLogger } from "../../kit/index.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { WakeUp } from "../workers/wake-up.ts";
import { insertFew } from "./few.sql.ts";

let db: PgliteDatabase;
beforeAll(async () => {
  db = await openPglite();
});
afterAll(() => db.close());

const item = {
  total: 1,
  ...{ pipeline: 1, lane: 1, nonce: "1", priority: 3, delayMs: 0, owner: null, fairness: null, input: '{"n":1}' },
};

it("tells other processes with its commit where it is asked to, and else nobody", async () => {
  const wakeUp = new WakeUp({ db, clock: manualClock(), log: silentLogger, notify: true });
  let woken = 0;
  wakeUp.add(() => {
    woken += 1;
  });
  await wakeUp.start();
  const before = woken;
  await insertFew(db, [item, item], false);
  expect(woken - before).toBe(0);
  await insertFew(db, [item, item], true);
  expect(woken - before).toBe(1);
  await wakeUp.stop();
});

it("stores what a larger submission would", async () => {
  const { insertRequests } = await import("./submit.sql.ts");
  const full = { ...item, owner: "ann", fairness: "f", title: "T", deadlineMs: 60_000, delayMs: 1, trace: "t" };
  await insertFew(db, [full], false);
  const request = { total: 1, key: null, owner: "ann", parent: null };
  await insertRequests(db, [request], [{ ...full, request: 1, key: null }]);
  const { rows } = await db.pglite.query<Record<string, unknown>>(`
    select to_jsonb(r) - '{id,request_id,ready_at,since,deadline_at}'::text[] as run, r.ready_at - r.since as delay,
      r.deadline_at - r.since as deadline, to_jsonb(i) - '{id,request_id,created_at}'::text[] as item,
      to_jsonb(q) - '{id,created_at}'::text[] as request, o.owner,
      to_jsonb(j) - '{xid,seq,at,item_id,request_id}'::text[] as journal
    from sluice.run r join sluice.item i using (id) join sluice.request q on q.id = r.request_id
    join sluice.request_owner o on o.request_id = q.id join sluice.journal j on j.item_id = r.id
    order by r.id desc limit 2`);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
});
