import { describe, expect, it } from "vitest";
import { type Encodable, encode, readMessage } from "./bencode.ts";
import { answerMetadata, MetadataFetch } from "./metadata.ts";
import { sha1Of } from "./metainfo.ts";
import type { Peer } from "./peer.ts";
import { exchangeAddresses, readExchanged } from "./peer-exchange.ts";
import { BLOCK_BYTES } from "./wire.ts";

/** As much of a peer as extensions use, and what it was told. */
function peerAt(address: string, more: { readonly [key: string]: unknown } = {}) {
  const told: Buffer[] = [];
  const sayExtended = (_: string, data: Buffer) => void told.push(data);
  const fake = { address, dialled: address, knows: () => true, sayExtended, ...more };
  return { peer: fake as unknown as Peer, told }; // a connection is what a real one needs, and nobody uses here
}

const read = (bytes: Encodable) => readMessage(encode(bytes))?.map ?? new Map();

describe("what a link leaves out", () => {
  const info = Buffer.alloc(BLOCK_BYTES + 100, "i");
  const part = (piece: number) => info.subarray(piece * BLOCK_BYTES, (piece + 1) * BLOCK_BYTES);
  const data = (piece: number) => read({ msg_type: 1, piece });

  it("is asked of a peer piece by piece, and believed when it has the right hash", () => {
    const fetch = new MetadataFetch(sha1Of(info), 100_000);
    const { peer, told } = peerAt("10.0.0.1:1", { metadataBytes: info.length });
    fetch.begin(peer);
    expect(told.map((one) => readMessage(one)?.map.get("piece"))).toEqual([0, 1]);
    expect(fetch.take(peer, data(1), part(1))).toBeUndefined();
    expect(fetch.take(peer, data(0), part(0))).toEqual(info);
  });

  it("is known as made up by its hash", () => {
    const fetch = new MetadataFetch("ab".repeat(20), 100_000);
    const { peer } = peerAt("10.0.0.1:1", { metadataBytes: 10 });
    fetch.begin(peer);
    expect(fetch.take(peer, data(0), Buffer.alloc(10))).toBe("wrong");
  });

  it("is not asked for where it is said to be endless, and takes no piece that is none", () => {
    const fetch = new MetadataFetch(sha1Of(info), 100_000);
    const huge = peerAt("10.0.0.1:1", { metadataBytes: 2 ** 40 });
    fetch.begin(huge.peer);
    expect(huge.told).toEqual([]);
    const { peer } = peerAt("10.0.0.2:1", { metadataBytes: info.length });
    fetch.begin(peer);
    for (const [piece, rest] of [[2 ** 31, part(0)] as const, [-1, part(0)] as const, [1, part(0)] as const])
      expect(fetch.take(peer, data(piece), rest)).toBeUndefined();
  });

  it("is given to who asks, and refused where there is none", () => {
    const { peer, told } = peerAt("10.0.0.1:1");
    answerMetadata(peer, read({ msg_type: 0, piece: 1 }), info);
    answerMetadata(peer, read({ msg_type: 0, piece: 2 }), info);
    answerMetadata(peer, read({ msg_type: 0, piece: 0 }), undefined);
    const [given, beyond, unknown] = told.map((one) => readMessage(one));
    expect([given?.map.get("msg_type"), given?.rest.length]).toEqual([1, 100]);
    expect([beyond, unknown].map((one) => one?.map.get("msg_type"))).toEqual([2, 2]);
  });
});

it("peers are told of each other, where they can be reached", () => {
  const [ann, bob, eve] = [
    peerAt("10.0.0.1:1000"),
    peerAt("10.0.0.2:40000", { dialled: null, listensOn: 2000 }),
    peerAt("10.0.0.3:40000", { dialled: null, listensOn: undefined }),
  ];
  exchangeAddresses([ann.peer, bob.peer, eve.peer]);
  const heard = (told: readonly Buffer[]) => told.flatMap((one) => readExchanged(readMessage(one)?.map ?? new Map()));
  expect(heard(ann.told)).toEqual([{ host: "10.0.0.2", port: 2000 }]);
  expect(heard(eve.told)).toEqual([
    { host: "10.0.0.1", port: 1000 },
    { host: "10.0.0.2", port: 2000 },
  ]);
});
