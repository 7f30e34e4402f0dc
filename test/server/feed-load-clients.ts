// Many listeners in one process, which hang up now and then and come back with the last id they had. Told what to do by messages
// of feed-load.ts; in the end each one's sequence is compared with the journal.

import http from "node:http";

export interface ListenersWanted {
  readonly url: string;
  /** One listener for each; `owner` for those who see only their own. */
  readonly listeners: readonly { readonly key: string; readonly owner: string | null }[];
  readonly after: string;
  /** How long a connection lasts on average; 0 for as long as the server does. */
  readonly hangUpMs: number;
}

export interface Expected {
  readonly cursors: readonly string[];
  /** Whose each is; null for what everybody is told. */
  readonly owners: readonly (string | null)[];
}

export interface Found {
  readonly listeners: number;
  readonly complete: number;
  readonly problems: readonly string[];
  readonly received: number;
  readonly connects: number;
  /** How many events took so many milliseconds from the start of their transaction to a listener that was connected. */
  readonly delays: readonly number[];
}

const SLOWEST_MS = 10_000;
const delays = new Array<number>(SLOWEST_MS + 1).fill(0);
let [connects, received] = [0, 0];

function countDelay(ms: number): void {
  const place = Math.min(SLOWEST_MS, Math.max(0, ms));
  delays[place] = (delays[place] ?? 0) + 1;
}

class Listener {
  readonly seen: string[] = [];
  readonly owner: string | null;
  isConnected = false;
  readonly #wanted: ListenersWanted;
  readonly #key: string;
  #lastId: string;
  #request: http.ClientRequest | undefined;

  constructor(wanted: ListenersWanted, { key, owner }: ListenersWanted["listeners"][number]) {
    this.#wanted = wanted;
    this.#key = key;
    this.owner = owner;
    this.#lastId = wanted.after;
  }

  connect(): void {
    const { url, hangUpMs } = this.#wanted;
    const headers = {
      accept: "text/event-stream",
      authorization: `Bearer ${this.#key}`,
      "last-event-id": this.#lastId,
    };
    const request = http.get(`${url}/api/v1/events`, { headers, agent: false });
    this.#request = request;
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      this.isConnected = false;
      setTimeout(() => this.connect(), Math.random() * 1_000);
    };
    request.on("error", again);
    request.on("close", again);
    request.on("response", (answer) => {
      if (answer.statusCode !== 200) return void request.destroy();
      connects += 1;
      this.#listen(answer);
      if (hangUpMs > 0) setTimeout(() => request.destroy(), hangUpMs * (0.2 + 1.6 * Math.random())).unref();
    });
  }

  #listen(answer: http.IncomingMessage): void {
    let rest = "";
    let since = Number.POSITIVE_INFINITY;
    answer.setEncoding("utf8");
    answer.on("error", () => {});
    answer.on("data", (chunk: string) => {
      const now = Date.now();
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, id] = /^id: (.*)$/m.exec(block) ?? [];
        if (id !== undefined) this.#lastId = id;
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data === undefined || block.includes("event: heartbeat")) continue;
        const envelope = JSON.parse(data);
        if (envelope.type === "hello") {
          this.isConnected = true;
          since = now;
        } else if (envelope.id !== null) {
          received += 1;
          this.seen.push(envelope.id);
          const at = Date.parse(envelope.at);
          // What happened while it was away is not counted: it came as soon as it was asked for.
          if (at > since) countDelay(now - at);
        }
      }
    });
  }

  stop(): void {
    this.connect = () => {};
    this.#request?.destroy();
  }
}

let listeners: Listener[] = [];

function compare({ cursors, owners }: Expected): Found {
  const problems: string[] = [];
  for (const [number, listener] of listeners.entries()) {
    const own = listener.owner;
    const right =
      own === null ? cursors : cursors.filter((_, index) => owners[index] === own || owners[index] === null);
    const at = right.findIndex((cursor, index) => listener.seen[index] !== cursor);
    if (at >= 0 || listener.seen.length !== right.length)
      problems.push(
        `listener ${number} (${own ?? "sees all"}) has ${listener.seen.length} of ${right.length}, and differs at ${at}`,
      );
  }
  const complete = listeners.length - problems.length;
  return { listeners: listeners.length, complete, problems: problems.slice(0, 5), received, connects, delays };
}

/** Waits until everybody has as many as they should, or the time is over. */
function settled(expected: Expected, ms: number): Promise<Found> {
  const began = Date.now();
  return new Promise((resolve) => {
    const look = () => {
      const found = compare(expected);
      if (found.complete === found.listeners || Date.now() - began > ms) resolve(found);
      else setTimeout(look, 100);
    };
    look();
  });
}

type Told = { readonly listen: ListenersWanted } | { readonly compare: Expected } | { readonly count: true };

process.on("message", async (told: Told) => {
  if ("listen" in told) {
    listeners = told.listen.listeners.map((one) => new Listener(told.listen, one));
    for (const listener of listeners) listener.connect();
  } else if ("count" in told) {
    process.send?.({ connected: listeners.filter(({ isConnected }) => isConnected).length });
  } else {
    process.send?.({ found: await settled(told.compare, 30_000) });
    for (const listener of listeners) listener.stop();
    process.disconnect?.();
  }
});
