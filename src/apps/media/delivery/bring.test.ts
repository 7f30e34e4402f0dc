import { expect, it } from "vitest";
import { formatId } from "../../../kit/index.ts";
import type { MediaPorts } from "../ports.ts";
import { bring } from "./bring.ts";
import type { PartVisit } from "./hold.ts";
import type { Consignment } from "./parcel.ts";

const part: Consignment = {
  ...{
    name: "nas",
    item: formatId("item", "1"),
    encoding: null,
    to: "Films/M.mkv",
    id: "a",
    title: "film 19",
    madeOf: "m",
  },
  ...{ isWhole: false, file: { path: "/nowhere", bytes: 3 }, failure: null },
};
const row = {
  ...{ server: "nas", path: part.to, item_id: "1", part_id: "a", is_whole: false, bytes: 3, sha256: "00", turn: 4 },
  ...{ also: [], title: "film 19", made_of: "m", there_bytes: null, is_live: false },
};

it.each([
  ["is free", undefined],
  ["is its own", { ...row, state: "sending" }],
  ["is its own, and sent", { ...row, state: "sent" }],
  ["was left behind", { ...row, state: "sending", item_id: "2", part_id: "b" }],
])("a visit that has lost its item meanwhile leaves a name that %s alone", async (_, found) => {
  const asked: string[] = [];
  const note =
    (what: string) =>
    async (...given: unknown[]): Promise<undefined> =>
      void asked.push(`${what} ${given.length}`);
  const deliveries = { find: async () => found, claim: note("claim"), resume: note("resume"), join: note("join") };
  // As much of both as is asked before the checkpoint.
  const ports = { deliveries, services: { servers: () => ({}) } } as unknown as MediaPorts;
  const save = () => Promise.reject(new Error("the item is in other hands"));
  const visit = { part, checkpoint: { value: undefined, save }, call: note("call") } as unknown as PartVisit;
  await expect(bring(visit, ports)).rejects.toThrow("the item is in other hands");
  expect(asked).toEqual([]);
});
