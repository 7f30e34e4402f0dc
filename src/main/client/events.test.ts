import { expect, it } from "vitest";
import { eventsOf } from "./events.ts";

async function heard(...chunks: string[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const event of eventsOf(stream)) events.push(event);
  return events;
}

it("events are put together from pieces; comments and ids are none", async () => {
  expect(
    await heard("retry: 3000\n\n", "id: 1\nda", 'ta: {"a":1}\n', "\n: still here\nid: 2\n\n", "data: x\ndata: y\n\n"),
  ).toEqual(['{"a":1}', "x\ny"]);
});

it("what was cut off is no event", async () => {
  expect(await heard("data: half")).toEqual([]);
});
