// A service goes down with two thousand items behind it: one alert, one resolve, and nobody spends an attempt on it.

import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, service, unavailable } from "../../src/engine/index.ts";
import { openAlertWorld } from "../support/alert-world.ts";
import { closeServers } from "../support/loopback.ts";
import { isSignedWith, startReceiver } from "../support/receiver.ts";

afterEach(closeServers);

const COUNTED = {
  name: "test-counted",
  text: "select count(*)::int as n from sluice.journal where kind in (8, 16) and attempt is not null",
};
const SPENT = { name: "test-spent", text: "select coalesce(max(attempts), 0)::int as n from sluice.run" };
const ITEMS = 2_000;

it("is one message when it begins and one when it ends, and costs no attempt", async () => {
  let isUp = false;
  // Slow enough that what has piled up stays a backlog for longer than a backlog has to last.
  const converter = service("converter", { limit: "200/min" });
  const documents = definePipeline("documents", { version: 1, input: z.object({ n: z.number() }) })
    .stage("read", { run: () => done() })
    .stage("convert", {
      uses: converter,
      run: () => {
        if (!isUp) throw unavailable("NOT_REACHED", "connect ECONNREFUSED", { service: "converter" });
        return done();
      },
    });
  const world = await openAlertWorld([documents], { services: { converter: {} }, concurrency: 100 });
  const number = async (statement: { name: string; text: string }) =>
    (await world.t.db.query<{ n: number }>(statement, []))[0]?.n;
  try {
    const hook = await startReceiver();
    const { secret } = await world.addChannel("hook", "webhook", { url: `${hook.url}/sluice` });
    const { result } = await world.t.submit(
      documents,
      Array.from({ length: ITEMS }, (_, n) => ({ n })),
    );
    await world.t.drain();
    await world.pass(22, 60);
    expect([await number(COUNTED), await number(SPENT)]).toEqual([0, 0]);
    const [opened] = await world.messages();
    expect(opened).toMatchObject({
      kind: "opened",
      key: "service-down/converter",
      title: "converter is not answering",
    });
    expect(opened?.count).toBe(ITEMS);
    expect(opened?.sentence).toMatch(
      /connect ECONNREFUSED\. 2,000 items wait for it; none spends an attempt on that\.$/,
    );
    expect(opened?.byItself).toMatch(/^They go on by themselves when it answers; checked again at \d\d:\d\d UTC\.$/);
    isUp = true;
    await world.pass(20, 60);
    const { items } = await result();
    expect(items.filter(({ state }) => state === "done")).toHaveLength(ITEMS);
    expect(await number(COUNTED)).toBe(0);
    expect(hook.received.map(({ json }) => json.type)).toEqual(["alert.opened", "alert.resolved"]);
    expect(await world.told()).toEqual(["opened service-down/converter", "resolved service-down/converter"]);
    expect(hook.received.every((one) => isSignedWith(secret ?? "", one))).toBe(true);
    expect(hook.received.at(-1)?.json.data.headline).toMatch(
      /^Resolved after 2\d min( \d+ s)?: converter is not answering$/,
    );
  } finally {
    await world.close();
  }
}, 300_000);
