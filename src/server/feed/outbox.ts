// What waits to be sent to one subscriber, within bounds. Pure.
//
// Transitions are never dropped in silence: where there is no room, everything is dropped, and the subscriber is told to read the
// state anew. Progress is the first to go, and of one item only the newest waits.

export interface Line {
  readonly kind: "event" | "hello" | "resync" | "heartbeat";
  /** Where to go on from after it; null for what leaves that where it was. */
  readonly id: string | null;
  readonly json: string;
}

/** What is said about the feed itself. */
export function notice(
  kind: Exclude<Line["kind"], "event">,
  id: string,
  facts: { readonly reason?: string } = {},
): Line {
  return { kind, id, json: JSON.stringify({ id, type: kind, ...facts }) };
}

export interface OutboxLimits {
  readonly lines: number;
  readonly characters: number;
}

export class Outbox {
  readonly #limits: OutboxLimits;
  #lines: Line[] = [];
  #characters = 0;
  /** Where the progress of an item waits that nothing has happened to since. */
  #progressAt = new Map<string, number>();
  #hasLost = false;

  constructor(limits: OutboxLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && !this.#hasLost;
  }

  /** A transition, or whatever else must arrive. `item`: whose progress before it must stay before it. */
  push(line: Line, item: string | null = null): void {
    if (this.#hasLost) return;
    if (!this.#hasRoomFor(line, 1)) {
      this.lose();
      return;
    }
    if (item !== null) this.#progressAt.delete(item);
    this.#append(line);
  }

  pushProgress(line: Line, item: string): void {
    if (this.#hasLost) return;
    const at = this.#progressAt.get(item);
    const waiting = at === undefined ? undefined : this.#lines[at];
    if (at !== undefined && waiting !== undefined) {
      this.#lines[at] = line;
      this.#characters += line.json.length - waiting.json.length;
    } else if (this.#hasRoomFor(line, 0.5)) {
      this.#progressAt.set(item, this.#lines.length);
      this.#append(line);
    }
  }

  /** Drops everything: whoever takes it next is told so. */
  lose(): void {
    this.#clear();
    this.#hasLost = true;
  }

  take(): { readonly lines: readonly Line[]; readonly hasLost: boolean } {
    const taken = { lines: this.#lines, hasLost: this.#hasLost };
    this.#clear();
    this.#hasLost = false;
    return taken;
  }

  #hasRoomFor(line: Line, share: number): boolean {
    const { lines, characters } = this.#limits;
    return this.#lines.length < lines * share && this.#characters + line.json.length <= characters * share;
  }

  #append(line: Line): void {
    this.#lines.push(line);
    this.#characters += line.json.length;
  }

  #clear(): void {
    this.#lines = [];
    this.#characters = 0;
    this.#progressAt.clear();
  }
}
