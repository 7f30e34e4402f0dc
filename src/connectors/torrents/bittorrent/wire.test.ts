import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handshake, WireError, WireReader, write } from "./wire.ts";

const INFOHASH = "ab".repeat(20);
const hello = handshake(INFOHASH, Buffer.alloc(20, "p"));
const greeted = () => {
  const reader = new WireReader();
  reader.push(hello);
  return reader;
};

describe("what peers say", () => {
  it("begins with a greeting that says of which torrent", () => {
    expect(new WireReader().push(hello)).toEqual([
      { type: "handshake", infohash: INFOHASH, peerId: "70".repeat(20), isExtended: true },
    ]);
  });

  it("is understood whatever it is cut into", () => {
    const data = Buffer.from("block");
    const said = Buffer.concat([
      hello,
      write.keepAlive(),
      write.unchoke(),
      write.have(7),
      write.bitfield(Buffer.from([0x80])),
      write.request(1, 2, 3),
      write.piece(1, 16_384, data),
      write.cancel(1, 2, 3),
      write.extended(4, Buffer.from("de")),
    ]);
    const whole = new WireReader().push(said).map(({ type }) => type);
    expect(whole).toEqual([
      "handshake",
      "keep-alive",
      "unchoke",
      "have",
      "bitfield",
      "request",
      "piece",
      "cancel",
      "extended",
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const reader = new WireReader();
        const heard: string[] = [];
        for (let at = 0, turn = 0; at < said.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          for (const message of reader.push(said.subarray(at, at + size))) heard.push(message.type);
          at += size;
        }
        expect(heard).toEqual(whole);
      }),
    );
  });

  it("gives back what was written", () => {
    const [message] = greeted().push(write.piece(3, 16_384, Buffer.from("abc")));
    expect(message).toEqual({ type: "piece", piece: 3, offset: 16_384, data: Buffer.from("abc") });
  });

  it.each([
    ["something else", () => new WireReader().push(Buffer.from("GET / HTTP/1.1"))],
    ["a message of four gigabytes", () => greeted().push(Buffer.from("ffffffff", "hex"))],
    ["a message that is cut short", () => greeted().push(Buffer.from("0000000204ff", "hex"))],
  ])("ends with %s", (_, push) => {
    expect(push).toThrow(WireError);
  });

  it("may have words that we do not know", () => {
    expect(greeted().push(Buffer.from("0000000163", "hex"))).toEqual([{ type: "unknown" }]);
  });
});
