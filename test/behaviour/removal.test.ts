// Deleting an entity: its work is cancelled, what is owed outside is paid first, then nothing of it is left.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { child, done, spawn, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { formatId, type ItemId } from "../../src/kit/index.ts";
import { opened } from "../support/downloads.ts";

const title = definePipeline("title", { version: 1, input: z.object({ name: z.string() }), keep: { done: "10d" } })
  .stage("look-up", { run: ({ input }) => done({ found: input.name }) })
  .stage("wait", {
    run: ({ input, because }) =>
      input.name === "slow" && because.signal === undefined ? wait("ink", { signal: "ink" }) : done(),
  });

let t: TestSluice;
afterEach(() => t.close());

const ask = async <Row>(text: string): Promise<Row[]> => await t.db.query<Row>({ name: text, text }, []);
const count = async (from: string): Promise<number> =>
  (await ask<{ n: number }>(`select count(*)::int as n from ${from}`))[0]?.n ?? 0;

async function submitted(name: string, key?: string) {
  const { request, items } = await t.submit(title, [{ name }], key === undefined ? {} : { key });
  await t.drain();
  return { request, item: items[0] as ItemId };
}

describe("removing a request", () => {
  it("leaves nothing of it but that it was removed, and by whom", async () => {
    t = await testSluice({ pipelines: [title] });
    const { request, item } = await submitted("slow");
    const other = await submitted("quick");
    const before = await t.sluice.feedEnd();
    expect(await t.sluice.remove(request, { by: "ann" })).toEqual({ ok: true });
    expect((await t.sluice.request(request)).removal).toMatchObject({
      by: "ann",
      sentence: "Being removed, as ann asked: what is still under way is being cancelled.",
    });
    await t.advance("5s");
    await expect(t.sluice.request(request)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(t.sluice.item(item)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await count("sluice.journal where item_id = 1")).toBe(0);
    expect(await count("sluice.waiter")).toBe(0);
    expect(await count("sluice.removal")).toBe(0);
    expect(await count("sluice.audit where action = 'remove' and actor = 'ann' and request_id = 1")).toBe(1);
    expect((await t.sluice.item(other.item)).state).toBe("done");
    const { value } = await t.sluice.feed({ after: before }).next();
    expect(value).toMatchObject({ type: "request.removed", output: { request } });
  });

  it("tells nothing more of it when a worker comes back that was busy with it", async () => {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const deaf = definePipeline("deaf", { version: 1, input: z.object({}) }).stage("listen", {
      timeout: "10h",
      run: async () => {
        begun.resolve();
        await end.promise;
        return done();
      },
    });
    t = await testSluice({ pipelines: [deaf] });
    const { request } = await t.submit(deaf, [{}]);
    const passing = t.advance("30s");
    await begun.promise;
    expect(await t.sluice.remove(request)).toEqual({ ok: true });
    const { value } = await t.sluice.feed({ after: await t.sluice.feedEnd() }).next();
    expect(value).toMatchObject({ type: "request.removed" });
    end.resolve();
    await passing;
    expect(t.sluice.busy).toBe(0);
    expect(await count("sluice.journal where item_id = 1")).toBe(0);
  });

  it("says so when there is nothing, or it belongs to another", async () => {
    t = await testSluice({ pipelines: [title] });
    expect(await t.sluice.remove(formatId("request", "77"))).toMatchObject({ ok: false });
    expect(await t.sluice.remove({ pipeline: "title", key: "none" })).toMatchObject({ ok: false });
    await expect(t.sluice.remove("req_nonsense" as never)).rejects.toMatchObject({ field: "request" });
    await expect(t.sluice.remove({ pipeline: "title", key: "" })).rejects.toMatchObject({ field: "key" });
    await expect(t.sluice.remove({ key: "x" } as never)).rejects.toMatchObject({ field: "pipeline" });
  });

  it("frees its key at once, and takes all that was asked for under it", async () => {
    t = await testSluice({ pipelines: [title] });
    const first = await submitted("quick", "title:7");
    const second = await submitted("slow", "title:7");
    expect(second.request).not.toBe(first.request);
    await t.sluice.remove({ pipeline: "title", key: "title:7" });
    const third = await t.submit(title, [{ name: "quick" }], { key: "title:7" });
    expect(third.joined).toBe(false);
    await t.advance("5s");
    for (const { request } of [first, second])
      await expect(t.sluice.request(request)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await t.sluice.request(third.request)).status).toBe("COMPLETED");
  });

  it("waits until what it started outside is gone, and says so", async () => {
    const client = scripted().stallsAt(20);
    const world = await opened({}, client);
    t = world.t;
    await t.advance("30s");
    const { request } = await t.sluice.item(world.item);
    client.goesDown();
    await t.sluice.remove(request, { by: "ann" });
    await t.advance("30s");
    expect((await t.sluice.item(world.item)).state).toBe("cancelled");
    expect((await t.sluice.request(request)).removal?.sentence).toBe(
      "Being removed, as ann asked: one thing outside may still be there and must be removed first.",
    );
    client.recovers();
    await t.advance("1h");
    expect(client.cancelled).toEqual(["job-1"]);
    await expect(t.sluice.request(request)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("takes what its items have spawned with it, live or not", async () => {
    const input = z.object({});
    const leaf = definePipeline("leaf", { version: 1, input }).stage("grow", {
      run: () => wait("sun", { signal: "sun" }),
    });
    const branch = definePipeline("branch", { version: 1, input }).stage("grow", {
      run: () => spawn([child(leaf, {})]),
    });
    const tree = definePipeline("tree", { version: 1, input }).stage("grow", { run: () => spawn([child(branch, {})]) });
    t = await testSluice({ pipelines: [leaf, branch, tree] });
    const { request } = await t.submit(tree, [{}]);
    await t.advance("10s");
    expect(await count("sluice.item")).toBe(3);
    // A dry run says what would go, and for a child nothing would.
    expect(await t.sluice.remove(request, { dryRun: true })).toMatchObject({ ok: true, would: { items: 1 } });
    expect(await t.sluice.remove(formatId("request", "2"), { dryRun: true })).toMatchObject({ ok: false });
    expect(await count("sluice.removal")).toBe(0);
    await t.sluice.remove(request);
    await t.advance("10s");
    expect(await count("sluice.item")).toBe(0);
    expect(await count("sluice.request")).toBe(0);
    expect(await count("sluice.removal")).toBe(0);
  });
});
