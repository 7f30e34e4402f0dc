// One connection to the live feed, kept up: opened again after every end, and from where it was.

import type { Event } from "../../../src/server/contract/wire.ts";

export type LiveState = "on" | "off";

export interface Listener {
  onState(state: LiveState): void;
  onEvent(event: Event): void;
}

const SOONEST_MS = 1_000;
const LATEST_MS = 30_000;

export class Stream {
  readonly #listener: Listener;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place: string | undefined;
  #failures = 0;
  state: LiveState = "off";

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  open(): void {
    this.close();
    const after = this.#place === undefined ? "" : `?after=${encodeURIComponent(this.#place)}`;
    const source = new EventSource(`/api/v1/events${after}`);
    this.#source = source;
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) =>
      this.#take(JSON.parse(data) as Event, lastEventId);
    source.onerror = () => this.#fail(source);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #take(event: Event, place: string): void {
    this.#failures = 0;
    if (place !== "") this.#place = place;
    this.#tell("on");
    this.#listener.onEvent(event);
  }

  /** A browser comes back by itself after a cut line, but never after an answer other than 200. */
  #fail(source: EventSource): void {
    this.#tell("off");
    if (source.readyState !== EventSource.CLOSED) return;
    const wait = Math.min(LATEST_MS, SOONEST_MS * 2 ** this.#failures);
    this.#failures += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), wait);
  }

  #tell(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    this.#listener.onState(state);
  }
}
