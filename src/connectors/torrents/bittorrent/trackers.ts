// Asking trackers who else is there, over HTTP (BEP 3, 23) and UDP (BEP 15). Their addresses come out of torrents: where one may not
// go, one does not go.

import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import type { Clock, Random } from "../../../kit/index.ts";
import { type EgressPolicy, egressRefusal, guardedClient } from "../../kit/index.ts";
import type { Bencoded } from "../bencode.ts";
import { asBytes, asList, asMap, asNumber, asText, readMap } from "./bencode.ts";

export interface Announcement {
  readonly infohash: string;
  readonly peerId: Uint8Array;
  readonly port: number;
  readonly uploaded: number;
  readonly downloaded: number;
  readonly left: number;
  readonly event: "started" | "stopped" | "completed" | "none";
}

export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

export interface TrackerAnswer {
  readonly intervalSec: number;
  readonly peers: readonly PeerAddress[];
}

export type Announce = (tracker: string, what: Announcement, signal?: AbortSignal) => Promise<TrackerAnswer>;

export interface TrackerOptions {
  readonly egress: EgressPolicy;
  readonly clock: Clock;
  readonly random: Random;
}

const ANSWER_MS = 15_000;
const PEERS_WANTED = 50;
const MOST_PEERS = 200;

export function trackers(options: TrackerOptions): Announce {
  const { egress, clock } = options;
  const limits = { connectMs: ANSWER_MS, headersMs: ANSWER_MS, totalMs: 30_000, answerBytes: 256 * 1024 };
  const http = guardedClient({ service: "tracker", egress, clock, limits });
  return async (tracker, what, signal) => {
    if (/^udp:/i.test(tracker)) return await overUdp(tracker, what, options, signal);
    const { body } = await http.ok({ url: withQuery(tracker, what), signal });
    return readAnswer(body);
  };
}

function withQuery(tracker: string, what: Announcement): string {
  const raw = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const query = [
    `info_hash=${raw(Buffer.from(what.infohash, "hex"))}`,
    `peer_id=${raw(what.peerId)}`,
    `port=${what.port}`,
    `uploaded=${what.uploaded}&downloaded=${what.downloaded}&left=${what.left}`,
    `compact=1&numwant=${what.event === "stopped" ? 0 : PEERS_WANTED}`,
    ...(what.event === "none" ? [] : [`event=${what.event}`]),
  ].join("&");
  return `${tracker}${tracker.includes("?") ? "&" : "?"}${query}`;
}

export function readAnswer(body: Uint8Array): TrackerAnswer {
  const map = readMap(body);
  if (map === undefined) throw new Error("the tracker answered something else");
  const failure = asText(map.get("failure reason"));
  if (failure !== undefined) throw new Error(`the tracker says: ${failure.slice(0, 200)}`);
  const peers = [...readPeers(map.get("peers"), 4), ...readPeers(map.get("peers6"), 16)];
  return { intervalSec: asNumber(map.get("interval")) ?? 1_800, peers: peers.slice(0, MOST_PEERS) };
}

function readPeers(value: Bencoded | undefined, addressBytes: 4 | 16): readonly PeerAddress[] {
  const compact = asBytes(value);
  if (compact !== undefined) return compactPeers(compact, addressBytes);
  return (asList(value) ?? []).flatMap((entry) => {
    const [host, port] = [asText(asMap(entry)?.get("ip")), asNumber(asMap(entry)?.get("port"))];
    return host === undefined || port === undefined ? [] : [{ host, port }];
  });
}

export function compactPeers(bytes: Buffer, addressBytes: 4 | 16): readonly PeerAddress[] {
  const size = addressBytes + 2;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => {
    const at = index * size;
    const address = bytes.subarray(at, at + addressBytes);
    const port = bytes.readUInt16BE(at + addressBytes);
    if (addressBytes === 4) return { host: address.join("."), port };
    return { host: (address.toString("hex").match(/.{4}/g) ?? []).join(":"), port };
  });
}

const MAGIC = 0x41727101980n;
const EVENTS = { none: 0, completed: 1, started: 2, stopped: 3 } as const;

async function overUdp(
  tracker: string,
  what: Announcement,
  { egress, clock, random }: TrackerOptions,
  signal?: AbortSignal,
): Promise<TrackerAnswer> {
  const url = new URL(tracker);
  const { address, family } = await lookup(url.hostname.replaceAll(/[[\]]/g, ""));
  const refused = egressRefusal(egress, address);
  if (refused !== undefined) throw new Error(`${url.hostname} ${refused}`);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const ask = (packet: Buffer, action: number) =>
    exchange(socket, { address, port: Number(url.port || 80), packet, action, clock, signal });
  const transaction = () => Number(BigInt.asUintN(32, random.token()));
  try {
    const hello = Buffer.alloc(16);
    hello.writeBigUInt64BE(MAGIC, 0);
    hello.writeUInt32BE(transaction(), 12);
    const connection = (await ask(hello, 0)).subarray(8, 16);
    const answer = await ask(
      announcePacket(connection, transaction(), what, Number(BigInt.asUintN(32, random.token()))),
      1,
    );
    if (answer.length < 20) throw new Error("the tracker answered too little");
    const peers = compactPeers(answer.subarray(20), family === 6 ? 16 : 4);
    return { intervalSec: answer.readUInt32BE(8), peers: peers.slice(0, MOST_PEERS) };
  } finally {
    socket.close();
  }
}

function announcePacket(connection: Uint8Array, transaction: number, what: Announcement, key: number): Buffer {
  const packet = Buffer.alloc(98);
  packet.set(connection, 0);
  packet.writeUInt32BE(1, 8);
  packet.writeUInt32BE(transaction, 12);
  packet.write(what.infohash, 16, "hex");
  packet.set(what.peerId, 36);
  packet.writeBigUInt64BE(BigInt(what.downloaded), 56);
  packet.writeBigUInt64BE(BigInt(what.left), 64);
  packet.writeBigUInt64BE(BigInt(what.uploaded), 72);
  packet.writeUInt32BE(EVENTS[what.event], 80);
  packet.writeUInt32BE(key, 88);
  packet.writeInt32BE(PEERS_WANTED, 92);
  packet.writeUInt16BE(what.port, 96);
  return packet;
}

interface Exchange {
  readonly address: string;
  readonly port: number;
  readonly packet: Buffer;
  readonly action: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** One packet and its answer: the one with our number. Packets get lost, so what is not answered is said twice more. */
async function exchange(socket: Socket, options: Exchange): Promise<Buffer> {
  const { address, port, packet, action, clock, signal } = options;
  const over = new AbortController();
  const stop = () => over.abort();
  signal?.addEventListener("abort", stop);
  let answer: Buffer | undefined;
  let failure: Error | undefined;
  const onMessage = (said: Buffer) => {
    if (said.length < 8 || said.readUInt32BE(4) !== packet.readUInt32BE(12)) return;
    if (said.readUInt32BE(0) === action && said.length >= 16) answer = said;
    else failure = new Error(`the tracker says: ${said.toString("utf8", 8, 208)}`);
    stop();
  };
  const onError = (error: Error) => {
    failure = error;
    stop();
  };
  socket.on("message", onMessage).on("error", onError);
  try {
    for (let tries = 0; tries < 3 && !over.signal.aborted; tries += 1) {
      socket.send(packet, port, address);
      await clock.sleep(ANSWER_MS / 3, over.signal);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    socket.off("message", onMessage).off("error", onError);
  }
  if (answer === undefined) throw failure ?? new Error("the tracker did not answer");
  return answer;
}
