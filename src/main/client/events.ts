// The live feed as a client follows it: the data of each event, and back to where it was when the connection ends. Bounded: a line
// that never ends is cut off.

import { systemClock } from "../../kit/index.ts";
import { CommandError, EXIT } from "../exit.ts";
import type { Client } from "./client.ts";

const LONGEST = 1_048_576;
const AGAIN_MS = 3_000;

export interface Following {
  /** The id of the last event that was seen; without one it begins now. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  /** It was cut off, and is tried again until the signal says otherwise. */
  onLost?(): void;
}

/** Ends when the signal aborts. What is refused is thrown, and who was never there; who is gone for a while is tried again. */
export async function* followEvents(client: Client, { after, signal, onLost }: Following): AsyncGenerator<string> {
  const place = { id: after };
  let wasThere = false;
  for (; !signal.aborted; ) {
    try {
      const headers = { accept: "text/event-stream" };
      const answer = await client.follow("/api/v1/events", { signal, query: { after: place.id }, headers });
      wasThere = true;
      if (answer.body !== null) yield* eventsOf(until(answer.body, signal), place);
    } catch (error) {
      if (signal.aborted) return;
      if (!wasThere || (error instanceof CommandError && error.exit !== EXIT.unreachable)) throw error;
    }
    if (signal.aborted) return;
    onLost?.();
    await systemClock.sleep(AGAIN_MS, signal);
  }
}

/** Ends with the signal: an answer of this very process does not know of it. */
function until(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // The reader is told by the end of what it reads; why it ended is known to whoever aborted.
  body.pipeTo(writable, { signal }).catch(() => {});
  return readable;
}

/** Server-sent events from a stream of bytes; `place` follows their ids. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  place: { id: string | undefined } = { id: undefined },
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let id: string | undefined;
  let isNamed = false;
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST) return;
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line.startsWith("id:")) id = line.slice(3).trim();
      if (line.startsWith("event:")) isNamed = true;
      // An empty line ends an event; one without data, or with a name (a heartbeat), only moves the place.
      if (line !== "") continue;
      if (data.length > 0 && !isNamed) yield data.join("\n");
      [data, isNamed] = [[], false];
      place.id = id ?? place.id;
    }
  }
}
