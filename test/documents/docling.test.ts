// Documents on a gateway that takes jobs, in the words of docling-serve and on real processes: it knows no keys of ours, gives a result away
// once and cannot end a job. Whatever is lost on the way, of each document there is one result.

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DoclingServer } from "../../sandbox/documents/docling-server.ts";
import { smallPdf } from "../support/pretend-documents.ts";
import { until } from "../support/until.ts";
import { DocumentsUp } from "./up-world.ts";

const docling = new DoclingServer();
let world: DocumentsUp;
/** Tasks that were there before a test. */
let tasks = 0;
beforeAll(async () => {
  await docling.up();
  world = new DocumentsUp({ GATEWAY_URL: docling.url, GATEWAY_KIND: "docling", GATEWAY_MAPPING: "document" });
  await world.up();
});
beforeEach(() => {
  tasks = docling.started;
  docling.fetched.length = 0;
});
afterAll(async () => {
  await world.close();
  await docling.down();
});

const upload = async () => (await world.upload({ name: "x.pdf", content: smallPdf() }))[0]?.id ?? "";
const started = (count: number) => until(() => docling.started >= tasks + count, `${count} tasks there`);
const task = (count: number) => `0000-task-${tasks + count}`;
const isWatched = (id: string) =>
  until(async () => {
    const { entries } = await world.json<{ entries: { type: string }[] }>("GET", `/items/${id}/history`);
    return entries.some(({ type }) => type === "item.started");
  }, "its name to be known here");

/** Its work goes on until it is over. */
async function ended(id: string) {
  const ticking = setInterval(() => docling.tick(), 200);
  try {
    return await world.ended(id);
  } finally {
    clearInterval(ticking);
  }
}

it("killed after a task was begun and before its name was known, another is begun, and only that one's result is taken", async () => {
  const goOn = docling.holdAnswers();
  const id = await upload();
  await started(1);
  await world.kill();
  goOn();
  await world.up();
  await started(2);
  expect(await ended(id)).toMatchObject({ status: "complete", attemptCount: 1 });
  expect([docling.started, docling.fetched]).toEqual([tasks + 2, [task(2)]]);
});

it("an answer that is lost is a try, and what it began is never taken", async () => {
  docling.lostStarts = 1;
  const id = await upload();
  await started(2);
  expect(await ended(id)).toMatchObject({ status: "complete", attemptCount: 2 });
  expect(docling.fetched).toEqual([task(2)]);
});

it("killed while it is watched, the same task is gone on with", async () => {
  const id = await upload();
  await started(1);
  await isWatched(id);
  await world.kill();
  await world.up();
  expect(await ended(id)).toMatchObject({ status: "complete", attemptCount: 1 });
  expect([docling.started, docling.fetched]).toEqual([tasks + 1, [task(1)]]);
});

it("cancelled, it is waited for there and thrown away, and nothing of it stays on either side", async () => {
  const id = await upload();
  await started(1);
  await isWatched(id);
  await world.json("POST", `/items/${id}/cancel`);
  expect(await world.read(id)).toMatchObject({ status: "cancelled", result: null });
  docling.tick();
  docling.tick();
  await until(() => docling.fetched.length > 0, "what came of it to be let go of");
  expect(docling.fetched).toEqual([task(1)]);
  expect(await world.read(id)).toMatchObject({ status: "cancelled", result: null });
});
