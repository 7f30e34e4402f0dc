import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Tracker } from "./tracker.ts";

let tracker: Tracker;
beforeEach(async () => {
  tracker = new Tracker();
  await tracker.start();
});
afterEach(() => tracker.stop());

const HASH = "00ff7f25".repeat(5);
const raw = (hex: string) => hex.replaceAll(/../g, "%$&");

async function announce(id: string, port: number, more = "left=0"): Promise<string> {
  const url = `${tracker.announceUrl}?info_hash=${raw(HASH)}&peer_id=${id.padEnd(20, "-")}&port=${port}&compact=1&${more}`;
  return Buffer.from(await (await fetch(url)).arrayBuffer()).toString("latin1");
}

describe("the tracker", () => {
  it("tells everybody of the others, in six bytes each", async () => {
    expect(await announce("one", 0x1234)).toContain("5:peers0:");
    const told = await announce("two", 0x5678, "left=9");
    expect(told).toContain("8:completei1e10:incompletei0e");
    expect(told).toContain(`5:peers6:${String.fromCharCode(127, 0, 0, 1, 0x12, 0x34)}e`);
    expect(tracker.peers(HASH)).toHaveLength(2);
    expect(await announce("two", 0x5678, "event=stopped&left=9")).toContain("5:peers6:");
    expect(tracker.peers(HASH)).toEqual([{ address: "127.0.0.1", port: 0x1234, isSeed: true }]);
    expect(tracker.announces.map(({ event, infohash }) => [event, infohash])).toEqual([
      ["", HASH],
      ["", HASH],
      ["stopped", HASH],
    ]);
  });

  it("tells nobody of what is hidden", async () => {
    await announce("one", 1);
    tracker.hidden.add(HASH);
    expect(await announce("two", 2)).toContain("5:peers0:");
  });

  it("says what is missing, and answers nothing else", async () => {
    expect(await (await fetch(`${tracker.announceUrl}?port=1`)).text()).toContain("info_hash and port are needed");
    expect((await fetch(tracker.announceUrl.replace("announce", "elsewhere"))).status).toBe(404);
  });
});
