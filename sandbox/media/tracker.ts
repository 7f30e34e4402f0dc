// A tracker: whoever announces a torrent is told who else did. HTTP, IPv4, compact answers; on the loopback.

import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopbackHttp } from "../service/loopback-http.ts";
import { bencode } from "./make-torrent.ts";

interface Peer {
  readonly address: string;
  readonly port: number;
  readonly isSeed: boolean;
}

export interface Announced {
  readonly infohash: string;
  readonly event: string;
  readonly port: number;
  readonly left: number;
}

export interface TrackerOptions {
  /** How often it wants to hear of a torrent. Default 5. */
  readonly intervalSeconds?: number;
}

const INTERVAL_SECONDS = 5;
const MOST_PEERS = 50;
const REMEMBERED = 10_000;

export class Tracker {
  /** What was announced, the last of it. */
  readonly announces: Announced[] = [];
  /** Those are told of nobody, and nobody is told of them. */
  readonly hidden = new Set<string>();
  readonly #swarms = new Map<string, Map<string, Peer>>();
  readonly #intervalSeconds: number;
  readonly #http = new LoopbackHttp((request, response) => this.#answer(request, response));

  constructor({ intervalSeconds = INTERVAL_SECONDS }: TrackerOptions = {}) {
    this.#intervalSeconds = intervalSeconds;
  }

  get announceUrl(): string {
    return `${this.#http.origin}/announce`;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async start(port?: number): Promise<void> {
    await this.#http.up(port);
  }

  async stop(): Promise<void> {
    await this.#http.down();
  }

  /** Who has announced a torrent and not left. */
  peers(infohash: string): readonly Peer[] {
    return [...(this.#swarms.get(infohash)?.values() ?? [])];
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [path, query = ""] = (request.url ?? "").split("?", 2);
    const asked = rawQuery(query);
    const infohash = asked.get("info_hash")?.toString("hex") ?? "";
    const number = (name: string) => Number(asked.get(name)?.toString("latin1") ?? Number.NaN);
    const port = number("port");
    if (path !== "/announce") return void response.writeHead(404).end();
    if (infohash.length !== 40 || !(port > 0 && port < 65_536))
      return void response.end(bencode({ "failure reason": "info_hash and port are needed" }));
    const event = asked.get("event")?.toString("latin1") ?? "";
    const left = number("left");
    this.announces.push({ infohash, event, port, left });
    if (this.announces.length > REMEMBERED) this.announces.shift();
    const swarm = this.#swarms.get(infohash) ?? new Map<string, Peer>();
    this.#swarms.set(infohash, swarm);
    const id = asked.get("peer_id")?.toString("hex") ?? "";
    const address = (request.socket.remoteAddress ?? "").replace("::ffff:", "");
    if (event === "stopped") swarm.delete(id);
    else swarm.set(id, { address, port, isSeed: left === 0 });
    const others = [...swarm].filter(([other]) => other !== id).map(([, peer]) => peer);
    response.end(told(this.hidden.has(infohash) ? [] : others, this.#intervalSeconds));
  }
}

function told(peers: readonly Peer[], intervalSeconds: number): Buffer {
  const compact = peers.slice(0, MOST_PEERS).map(({ address, port }) => {
    return Buffer.from([...address.split(".").map(Number), port >> 8, port & 0xff]);
  });
  return bencode({
    complete: peers.filter(({ isSeed }) => isSeed).length,
    incomplete: peers.filter(({ isSeed }) => !isSeed).length,
    interval: intervalSeconds,
    "min interval": 2,
    peers: Buffer.concat(compact),
  });
}

/** Infohashes are bytes, and no decoder of texts leaves them as they are. */
function rawQuery(query: string): ReadonlyMap<string, Buffer> {
  const pairs = query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    const value = pair
      .slice(at + 1)
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return [pair.slice(0, at), Buffer.from(value, "latin1")] as const;
  });
  return new Map(pairs);
}
