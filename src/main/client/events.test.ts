import { expect, it, vi } from "vitest";
import type { Asked, Client } from "./client.ts";
import { eventsOf, followEvents } from "./events.ts";

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
    await heard(
      "retry: 3000\n\n",
      "id: 1\nda",
      'ta: {"a":1}\n',
      "\nevent: heartbeat\nid: 2\ndata: {}\n\n",
      "data: x\ndata: y\n\n",
    ),
  ).toEqual(['{"a":1}', "x\ny"]);
});

it("the place follows what was heard, also where it is no event", async () => {
  const place = { id: undefined as string | undefined };
  const stream = new Response("id: 1\ndata: x\n\nevent: heartbeat\nid: 2\ndata: {}\n\nid: 3\ndata: cut").body;
  if (stream === null) throw new Error("no body");
  for await (const _ of eventsOf(stream, place));
  expect(place.id).toBe("2");
});

it("who is cut off comes back to where it was", async () => {
  const over = new AbortController();
  const asked: (string | number | boolean | undefined)[] = [];
  const answers = ["id: 1\ndata: a\n\n", "id: 2\ndata: b\n\n"];
  const client = {
    follow: async (_: string, { query }: Asked) => {
      asked.push(query?.after);
      return new Response(answers.shift() ?? "");
    },
  };
  vi.useFakeTimers();
  try {
    const heard = followEvents(client as unknown as Client, { signal: over.signal }); // asked for nothing else
    expect((await heard.next()).value).toBe("a");
    const next = heard.next();
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await next).value).toBe("b");
    over.abort();
    expect((await heard.next()).done).toBe(true);
    expect(asked).toEqual([undefined, "1"]);
  } finally {
    vi.useRealTimers();
  }
});

it("what was cut off is no event", async () => {
  expect(await heard("data: half")).toEqual([]);
});
