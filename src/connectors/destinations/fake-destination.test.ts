import { afterAll, describe, expect, test } from "vitest";
import { fakeWorld, OutBox } from "../../../test/support/destination-worlds.ts";
import { destinationContract, remoteDestinationContract } from "./destination.contract.ts";
import { fakeDestination } from "./fake-destination.ts";

const box = new OutBox();
afterAll(() => box.empty());

describe("the fake keeps the contract", () => {
  test.each([...destinationContract, ...remoteDestinationContract])("$name", async ({ run }) => {
    await run(fakeWorld(fakeDestination(), box.file));
  });
});

describe("the fake", () => {
  const parcel = async () => ({ file: await box.file(Buffer.alloc(200_000, 7)), to: "a/film.mkv", id: "a1" });

  test("says that all was done and stores something else, on demand", async () => {
    const { client, world } = fakeDestination();
    world.storesZeros = true;
    await expect(client.send(await parcel())).rejects.toMatchObject({ code: "WRONG_BYTES" });
    expect(world.truth()).toMatchObject({ receivedBytes: 200_000, visible: [], parts: [] });
  });

  test("knows what came and how often a name was given", async () => {
    const { client, world, calls, trouble } = fakeDestination();
    const sent = await parcel();
    trouble("send", "timeout-but-done");
    await expect(client.send(sent)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(world.truth()).toMatchObject({ receivedBytes: 200_000, visible: [], parts: ["a/.film.mkv.a1.part"] });
    expect(await client.send(sent)).toMatchObject({ sentBytes: 0 });
    trouble("publish", "timeout-but-done", "refused");
    await expect(client.publish({ ...sent, bytes: 200_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(client.publish({ ...sent, bytes: 200_000 })).rejects.toMatchObject({ code: "NOT_REACHED" });
    await client.publish({ ...sent, bytes: 200_000 });
    expect(world.truth()).toMatchObject({ receivedBytes: 200_000, visible: ["a/film.mkv"], parts: [] });
    expect([world.truth().published.get("a/film.mkv"), calls.publish]).toEqual([1, 3]);
  });
});
