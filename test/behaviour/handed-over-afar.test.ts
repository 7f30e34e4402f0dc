// An item that is handed in where nobody works goes to a worker that said it has room, with the notification that tells of it.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/engine/db/database.ts";
import { definePipeline, done } from "../../src/engine/index.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { openPglite, type PgliteDatabase } from "../../src/engine/testing/pglite.ts";
import { VirtualClock } from "../../src/engine/testing/virtual-clock.ts";
import { inlineHeart } from "../../src/engine/workers/heart.ts";
import { inlineSuspects } from "../../src/engine/workers/suspects.ts";
import { markDead } from "../../src/engine/workers/worker-row.sql.ts";
import { type Logger, seededRandom, silentLogger } from "../../src/kit/index.ts";

const close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0).reverse()) await one();
});

const turns = async (count = 30) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** What comes to a process: at once, when it is told to, or never. */
class Post {
  readonly claimed: string[] = [];
  readonly letters: string[] = [];
  mode: "open" | "slow" | "loses" = "open";
  #waiting: (() => void)[] = [];

  around(db: Database): Database {
    return {
      query: async <Row>(statement: { name: string; text: string }, values: readonly unknown[]) => {
        const rows = await db.query<Row>(statement, values);
        if (statement.name.startsWith("claim")) this.claimed.push(...(rows as { id: string }[]).map(({ id }) => id));
        return rows;
      },
      transaction: (work) => db.transaction(work),
      listen: (channel, { wake, lost }) => db.listen(channel, { lost, wake: (letter) => this.#deliver(letter, wake) }),
      close: () => db.close(),
    };
  }

  #deliver(letter: string, wake: (letter: string) => void): void {
    if (letter !== "") this.letters.push(letter);
    if (letter === "" || this.mode === "open") wake(letter);
    else if (this.mode === "slow") this.#waiting.push(() => wake(letter));
  }

  deliver(): void {
    for (const one of this.#waiting.splice(0)) one();
  }
}

async function opened({ concurrency = 10, workers = 1, notify = true } = {}) {
  const db: PgliteDatabase = await openPglite();
  close.push(() => db.close());
  const clock = await VirtualClock.over(db, new Date("2030-01-01T00:00:00Z"));
  const visits: number[] = [];
  const whose: number[] = [];
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (event) => void warnings.push(event) };
  let letGo = Promise.resolve();
  const pipelineOf = (worker: number) =>
    definePipeline("letters", { version: 1, input: z.object({ n: z.number(), text: z.string().optional() }) }).stage(
      "write",
      {
        async run({ input }) {
          visits.push(input.n);
          whose.push(worker);
          await letGo;
          return done();
        },
      },
    );
  const posts: Post[] = [];
  const sluices: Sluice[] = [];
  for (let index = 0; index < workers; index += 1) {
    const post = new Post();
    posts.push(post);
    const ports = { db: post.around(db), clock, random: seededRandom(index + 1), log, notify };
    const worker = {
      identity: { name: `test ${index}`, host: "test", pid: index + 1, pidStarted: "0" },
      heart: (listener: Parameters<typeof inlineHeart>[1]["listener"]) => inlineHeart(db, { ...ports, listener }),
      isGone: () => false,
      suspects: inlineSuspects(),
      concurrency,
      ...{ pollMs: 1_000, deadAfterMs: 8_000, graceMs: 0 },
    };
    const sluice = await Sluice.start({ ...ports, worker }, [pipelineOf(index)]);
    close.push(() => sluice.close());
    sluices.push(sluice);
  }
  const pipeline = pipelineOf(-1);
  const random = seededRandom(99);
  const client = await Sluice.start({ db, clock, random, log, notify: true, worker: undefined }, [pipeline]);
  close.push(() => client.close());
  /** As long as it takes for everything that is due by then. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      await clock.jump(500);
      await turns();
    }
  };
  await pass(3_000);
  const rows = async <Row>(text: string) => await db.query<Row>({ name: "look", text }, []);
  const hold = () => {
    let release = () => {};
    letGo = new Promise((resolve) => (release = resolve));
    return release;
  };
  return {
    ...{ db, visits, whose, warnings, posts, post: posts[0] as Post, sluices, client, pass, rows, hold },
    submit: async (n: number, text?: string) => {
      await client.submit(pipeline, [text === undefined ? { n } : { n, text }]);
      await turns();
    },
    ended: async () =>
      Number((await rows<{ n: string }>("select count(*) as n from sluice.item where state = 1"))[0]?.n),
    invites: async () =>
      (await rows<{ n: number }>("select invites as n from sluice.worker order by id")).map(({ n }) => n),
  };
}

describe("an item that is handed in where nobody works", () => {
  it("is begun by who invited it, without a claim, and ends as any other", async () => {
    const { submit, visits, post, ended, invites, warnings } = await opened();
    expect(await invites()).toEqual([5]);
    await submit(1);
    expect([visits, post.claimed, post.letters.length]).toEqual([[1], [], 1]);
    expect([await ended(), await invites(), warnings]).toEqual([1, [4], []]);
  });

  it("is one worker's alone, the others are not even woken", async () => {
    const { submit, whose, pass, posts, ended } = await opened({ workers: 2 });
    for (const n of [1, 2, 3, 4]) {
      await submit(n);
      await pass(500);
    }
    expect([await ended(), posts.flatMap(({ claimed }) => claimed)]).toEqual([4, []]);
    expect(new Set(whose)).toEqual(new Set([0, 1]));
  });

  it("is claimed as ever where it does not fit into a notification", async () => {
    const { submit, visits, post, pass, ended } = await opened();
    await submit(1, "ü".repeat(3_990));
    await pass(2_000);
    expect([visits, post.claimed.length, post.letters, await ended()]).toEqual([[1], 1, [], 1]);
  });

  it("is claimed as ever where the worker hears nothing", async () => {
    const { submit, visits, pass, invites, post, ended } = await opened({ notify: false });
    expect(await invites()).toEqual([0]);
    await submit(1);
    await pass(2_000);
    expect([visits, post.claimed.length, await ended()]).toEqual([[1], 1, 1]);
  });

  it("is invited anew when half of it was used, and never beyond the room there is", async () => {
    const { submit, visits, invites, pass, hold, ended } = await opened({ concurrency: 4 });
    const release = hold();
    for (const n of [1, 2]) {
      await submit(n);
      await pass(500);
    }
    expect([visits, await invites()]).toEqual([[1, 2], [1]]);
    for (const n of [3, 4, 5]) {
      await submit(n);
      await pass(500);
    }
    expect([visits, await invites()]).toEqual([[1, 2, 3, 4], [0]]);
    release();
    await pass(2_000);
    expect([visits.toSorted(), await ended()]).toEqual([[1, 2, 3, 4, 5], 5]);
  });
});

describe("when something breaks on the way", () => {
  it("a letter that is lost is found within seconds, and nobody is invited until something is heard", async () => {
    const { submit, visits, post, pass, warnings, ended, invites } = await opened();
    post.mode = "loses";
    await submit(1);
    expect([visits, post.letters.length]).toEqual([[], 1]);
    await pass(7_000);
    expect([visits, await ended(), warnings]).toEqual([[1], 1, ["items.stray"]]);
    post.mode = "open";
    await submit(2);
    await pass(2_500);
    expect([visits, await invites()]).toEqual([[1, 2], [5]]);
  });

  it("a letter that comes after its item was given up begins nothing", async () => {
    const { submit, visits, post, pass, ended, rows } = await opened();
    post.mode = "slow";
    await submit(1);
    await pass(7_000);
    post.deliver();
    await pass(1_000);
    expect([visits, await ended()]).toEqual([[1], 1]);
    expect(await rows("select from sluice.journal where kind = 9")).toEqual([]);
  });

  it("one that is marked dead before the letter comes does not begin it in its next life, and it comes back", async () => {
    const { db, submit, visits, post, pass, ended, rows, warnings } = await opened();
    post.mode = "slow";
    await submit(1);
    const [former] = await rows<{ epoch: string; beat: string }>("select epoch, beat from sluice.worker");
    expect(await markDead(db, former?.epoch ?? "", former?.beat ?? "")).toBe(true);
    await pass(2_500);
    post.deliver();
    await pass(5_000);
    expect(warnings).toContain("worker.presumed-dead");
    expect([visits, await ended()]).toEqual([[1], 1]);
    expect(await rows("select kind from sluice.journal where kind in (9, 10)")).toEqual([{ kind: 10 }]);
  });

  it("one that stops hands it back unharmed, whether its letter came or not", async () => {
    for (const comes of [true, false]) {
      const { submit, visits, post, sluices, rows } = await opened();
      post.mode = "slow";
      await submit(1);
      const closed = sluices[0]?.close();
      if (comes) post.deliver();
      await closed;
      const runs = await rows("select state, epoch, attempts, suspicion from sluice.run");
      expect([visits, runs]).toEqual([[], [{ state: 0, epoch: null, attempts: 0, suspicion: 0 }]]);
      expect(await rows("select invites from sluice.worker")).toEqual([{ invites: 0 }]);
    }
  });

  it("a valve that closed where it was not known yet holds it at the worker", async () => {
    const { submit, visits, sluices, post, pass } = await opened();
    post.mode = "slow";
    await submit(1);
    await sluices[0]?.switches.off({ pipeline: "letters", stage: "write" });
    await pass(2_500);
    post.deliver();
    await pass(2_500);
    expect([visits, post.letters.length]).toEqual([[], 1]);
  });

  it("what is no letter wakes, as it always did", async () => {
    const { db, submit, visits, post, pass, ended } = await opened();
    for (const text of ["nonsense", "[1,2,3]", '[1,"1",[["1"]]]'])
      await db.query({ name: "tell", text: "select pg_notify('sluice_moved', $1)" }, [text]);
    await submit(1);
    await pass(500);
    expect([visits, post.letters.length, await ended()]).toEqual([[1], 4, 1]);
  });
});
