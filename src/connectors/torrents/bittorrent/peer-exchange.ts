// Peers name each other to us, and we to them (BEP 11). Only where somebody wants to be found.

import { asBytes, type BencodedMap, encode } from "./bencode.ts";
import type { Peer } from "./peer.ts";
import { compactPeers, type PeerAddress } from "./trackers.ts";

const MOST = 50;

export function readExchanged(map: BencodedMap): readonly PeerAddress[] {
  const [four, six] = [asBytes(map.get("added")), asBytes(map.get("added6"))];
  const found = [four === undefined ? [] : compactPeers(four, 4), six === undefined ? [] : compactPeers(six, 16)];
  return found.flat().slice(0, MOST);
}

export function exchangeAddresses(peers: readonly Peer[]): void {
  for (const peer of peers) {
    const others = peers.filter((other) => other !== peer).flatMap(compactOf);
    if (others.length > 0) peer.sayExtended("ut_pex", encode({ added: Buffer.concat(others.slice(0, MOST)) }));
  }
}

/** Where others could reach it; IPv4 alone. */
function compactOf(peer: Peer): readonly Buffer[] {
  const host = peer.address.slice(0, peer.address.lastIndexOf(":"));
  const port = peer.dialled === null ? peer.listensOn : Number(peer.address.slice(host.length + 1));
  if (!/^\d+(\.\d+){3}$/.test(host) || port === undefined) return [];
  const bytes = Buffer.alloc(6);
  bytes.set(host.split(".").map(Number));
  bytes.writeUInt16BE(port, 4);
  return [bytes];
}
