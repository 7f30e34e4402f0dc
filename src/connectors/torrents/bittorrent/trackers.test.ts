import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom, systemClock } from "../../../kit/index.ts";
import { Addresses } from "./addresses.ts";
import { Announcer } from "./announcer.ts";
import { encode } from "./bencode.ts";
import { type Announcement, readAnswer, trackers } from "./trackers.ts";

const what: Announcement = {
  infohash: "cd".repeat(20),
  peerId: Buffer.alloc(20, "p"),
  port: 6881,
  uploaded: 1,
  downloaded: 2,
  left: 3,
  event: "started",
};

describe("a tracker's answer", () => {
  it("has peers in three ways of writing", () => {
    const compact = encode({
      interval: 60,
      peers: Buffer.from([127, 0, 0, 1, 0x1a, 0xe1]),
      peers6: Buffer.alloc(18, 1),
    });
    expect(readAnswer(compact)).toEqual({
      intervalSec: 60,
      peers: [
        { host: "127.0.0.1", port: 6881 },
        { host: "0101:0101:0101:0101:0101:0101:0101:0101", port: 257 },
      ],
    });
    expect(readAnswer(encode({ interval: 60, peers: [{ ip: "10.0.0.1", port: 1 }, { ip: "no port" }] })).peers).toEqual(
      [{ host: "10.0.0.1", port: 1 }],
    );
  });

  it("that is a refusal or nonsense is an error", () => {
    expect(() => readAnswer(encode({ "failure reason": "not registered" }))).toThrow("not registered");
    expect(() => readAnswer(encode(["list"]))).toThrow("something else");
    expect(() => readAnswer(Buffer.from("<html>"))).toThrow();
  });
});

describe("over UDP", () => {
  const socket = createSocket("udp4");
  afterEach(() => socket.close());

  it("greets, announces, and reads the peers", async () => {
    const asked: Buffer[] = [];
    socket.on("message", (packet, from) => {
      asked.push(packet);
      const isHello = packet.length === 16;
      const answer = isHello ? Buffer.alloc(16) : Buffer.alloc(26);
      answer.writeUInt32BE(isHello ? 0 : 1, 0);
      packet.copy(answer, 4, 12, 16);
      if (isHello) answer.write("connect!", 8);
      else answer.set([0, 0, 0, 120, 0, 0, 0, 0, 0, 0, 0, 1, 127, 0, 0, 1, 0x1a, 0xe1], 8);
      socket.send(answer, from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const announce = trackers({ egress: "lan", clock: systemClock, random: seededRandom(1) });
    const answer = await announce(`udp://127.0.0.1:${socket.address().port}/announce`, what);
    expect(answer).toEqual({ intervalSec: 120, peers: [{ host: "127.0.0.1", port: 6881 }] });
    expect(asked[1]?.toString("latin1", 0, 8)).toBe("connect!");
    expect(asked[1]?.toString("hex", 16, 36)).toBe(what.infohash);
    const strict = trackers({ egress: "public", clock: systemClock, random: seededRandom(1) });
    await expect(strict(`udp://127.0.0.1:${socket.address().port}`, what)).rejects.toThrow("loopback");
  });
});

describe("when trackers are asked", () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("at once, then when they say, later and later while they fail, and at once again when told", async () => {
    let now = 0;
    let fails = false;
    const events: string[] = [];
    const announcer = new Announcer({
      trackers: ["http://t/"],
      announce: async (_, { event }) => {
        events.push(event);
        if (fails) throw new Error("it is down");
        return { intervalSec: 60, peers: [] };
      },
      now: () => now,
      facts: () => what,
      found: () => undefined,
    });
    const at = async (ms: number) => {
      now = ms;
      announcer.tick();
      await settle();
      return events.length;
    };
    expect([await at(0), await at(59_999), await at(60_000)]).toEqual([1, 1, 2]);
    expect(events).toEqual(["started", "none"]);
    fails = true;
    expect([await at(120_000), announcer.problem]).toEqual([3, "it is down"]);
    expect([await at(139_999), await at(140_000), await at(179_999), await at(180_000)]).toEqual([3, 4, 4, 5]);
    fails = false;
    announcer.soon();
    expect([await at(180_001), announcer.problem]).toEqual([6, null]);
    await announcer.stopped(AbortSignal.timeout(1_000));
    expect(events.at(-1)).toBe("stopped");
  });
});

describe("addresses of peers", () => {
  it("are due once, less and less often when nobody answers, and never when banned", () => {
    const addresses = new Addresses();
    addresses.offer([
      { host: "127.0.0.1", port: 1 },
      { host: "127.0.0.1", port: 1 },
      { host: "127.0.0.1", port: 0 },
      { host: "8.8.8.8", port: 2 },
    ]);
    expect(addresses.take(0)).toMatchObject({ port: 1 });
    expect(addresses.take(0)).toMatchObject({ port: 2 });
    expect(addresses.take(0)).toBeUndefined();
    addresses.ended("127.0.0.1:1", 0, true);
    expect([addresses.take(3_999), addresses.take(4_000)?.port]).toEqual([undefined, 1]);
    addresses.ended("127.0.0.1:1", 4_000, true);
    addresses.soon();
    expect(addresses.take(4_000)?.port).toBe(1);
    // A public host is banned as a whole, one of many on this machine by what tells it apart.
    addresses.ban("8.8.8.8", ["its id"]);
    addresses.ban("127.0.0.1", ["another id"]);
    expect(["8.8.8.8", "127.0.0.1"].map((host) => addresses.isBanned(host, "third id"))).toEqual([true, false]);
    expect(addresses.isBanned("127.0.0.1", "another id")).toBe(true);
  });
});
