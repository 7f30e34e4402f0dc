// One connection to the live feed, kept up: opened again after every end, and from where it was.

import type { Event } from "../../../src/server/contract/wire.ts";

export type LiveState = "on" | "off";

export interface Listener {
  onState(state: LiveState): void;
  onEvent(event: Event): void;
}

const SOONEST_MS = 1_000;
const LATEST_MS = 30_000;
/** The server beats every 15 seconds: who has missed three is on a dead line, which a browser does not notice for minutes. */
const SILENCE_MS = 45_000;

export class Stream {
  readonly #listener: Listener;
  #source: EventSource | undefined;
  /** Until it is opened again: after a failure, or after too long a silence. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #place: string | undefined;
  #failures = 0;
  state: LiveState = "off";

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Open, or about to be. */
  get isWanted(): boolean {
    return this.#timer !== undefined;
  }

  open(): void {
    this.#end();
    const after = this.#place === undefined ? "" : `?after=${encodeURIComponent(this.#place)}`;
    const source = new EventSource(`/api/v1/events${after}`);
    this.#source = source;
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.#hear(lastEventId);
      this.#listener.onEvent(JSON.parse(data) as Event);
    };
    source.addEventListener("heartbeat", ({ lastEventId }) => this.#hear(lastEventId));
    source.onerror = () => this.#fail(source);
    this.#openIn(SILENCE_MS);
  }

  /** For somebody else: from now on, whatever the one before had seen. */
  again(): void {
    this.#place = undefined;
    this.open();
  }

  close(): void {
    this.#end();
    this.#tell("off");
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#source?.close();
    this.#source = undefined;
  }

  #hear(place: string): void {
    this.#failures = 0;
    if (place !== "") this.#place = place;
    this.#openIn(SILENCE_MS);
    this.#tell("on");
  }

  /** A browser comes back by itself after a cut line, but never after an answer other than 200. */
  #fail(source: EventSource): void {
    this.#tell("off");
    if (source.readyState !== EventSource.CLOSED) return;
    this.#openIn(Math.min(LATEST_MS, SOONEST_MS * 2 ** this.#failures));
    this.#failures += 1;
  }

  #openIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#tell("off");
      this.open();
    }, ms);
  }

  #tell(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    this.#listener.onState(state);
  }
}
