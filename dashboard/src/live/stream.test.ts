import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Event } from "../../../src/server/contract/wire.ts";
import { type LiveState, Stream } from "./stream.ts";

type Told = Pick<MessageEvent<string>, "data" | "lastEventId">;

class Source {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onmessage: ((told: Told) => void) | undefined;
  onerror: (() => void) | undefined;
  beat: ((told: Told) => void) | undefined;
  readonly address: string;

  constructor(address: string) {
    this.address = address;
    Source.all.push(this);
  }

  addEventListener(_: "heartbeat", listener: (told: Told) => void): void {
    this.beat = listener;
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }

  static get last(): Source {
    const last = Source.all.at(-1);
    if (last === undefined) throw new Error("nothing was opened");
    return last;
  }
}

let states: LiveState[];
let events: Event[];
let stream: Stream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  Source.all = [];
  [states, events] = [[], []];
  stream = new Stream({ onState: (state) => states.push(state), onEvent: (event) => events.push(event) });
  stream.open();
});
afterEach(() => {
  stream.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const hear = (type: string, lastEventId: string) =>
  Source.last.onmessage?.({ data: `{"type":"${type}"}`, lastEventId });

it("is on from the first word, and quiet as long as the server beats", () => {
  hear("hello", "1");
  for (let beats = 2; beats < 10; beats += 1) {
    vi.advanceTimersByTime(15_000);
    Source.last.beat?.({ data: "", lastEventId: String(beats) });
  }
  expect(states).toEqual(["on"]);
  expect(Source.all).toHaveLength(1);
  expect(events).toEqual([{ type: "hello" }]);
});

it("is off after 45 seconds of silence, and opened again from where it was", () => {
  hear("hello", "1");
  Source.last.beat?.({ data: "", lastEventId: "2" });
  const dead = Source.last;
  vi.advanceTimersByTime(45_000);
  expect(states).toEqual(["on", "off"]);
  expect(dead.readyState).toBe(Source.CLOSED);
  expect(Source.last.address).toBe("/api/v1/events?after=2");
});

it("whoever is refused comes back later and later", () => {
  for (const wait of [1_000, 2_000, 4_000]) {
    const refused = Source.last;
    refused.readyState = Source.CLOSED;
    refused.onerror?.();
    vi.advanceTimersByTime(wait - 1);
    expect(Source.last).toBe(refused);
    vi.advanceTimersByTime(1);
    expect(Source.last).not.toBe(refused);
  }
});

it("for somebody else it begins anew", () => {
  hear("hello", "1");
  stream.again();
  expect(Source.last.address).toBe("/api/v1/events");
});

it("is off once it is closed, and stays so", () => {
  hear("hello", "1");
  stream.close();
  expect(states).toEqual(["on", "off"]);
  expect(stream.isWanted).toBe(false);
  vi.advanceTimersByTime(120_000);
  expect(Source.all).toHaveLength(1);
});
