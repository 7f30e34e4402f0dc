// Files arrive, whole and under their names or not at all.

import { deepEqual, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { partPath } from "../places.ts";
import { content, type DestinationContractCase, deliver, equal, isFault, MEGABYTE, until } from "./world.ts";

const TO = "Ein Film (2024)/Ein Film (2024).mkv";

export const sending: readonly DestinationContractCase[] = [
  {
    name: "a file is sent, and is there under its name when it is published",
    async run({ client, file, there, paths }) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const sent = await client.send(parcel);
      deepEqual(sent, {
        bytes: film.byteLength,
        sentBytes: film.byteLength,
        sha256: createHash("sha256").update(film).digest("hex"),
      });
      deepEqual([there(TO), await client.bytesAt(TO)], [null, null]);
      await client.publish({ ...parcel, bytes: sent.bytes });
      equal(there(TO), film);
      deepEqual([paths(), await client.bytesAt(TO)], [[TO], film.byteLength]);
    },
  },
  {
    name: "what lies there is told by its hash, whoever put it there",
    async run({ client, put }) {
      const film = content(2 * MEGABYTE);
      put("somebody else's.mkv", film);
      const sha256 = createHash("sha256").update(film).digest("hex");
      deepEqual([await client.sha256At("somebody else's.mkv"), await client.sha256At(TO)], [sha256, null]);
    },
  },
  {
    name: "half of a file is never seen under its name, and what travels begins with a dot",
    async run({ client, file, there, paths }) {
      const seen = new Set<string>();
      const told: number[] = [];
      const film = content(2 * MEGABYTE);
      await client.send(
        { file: await file(film), to: TO, id: "a1" },
        {
          onBytes: (bytes) => {
            told.push(bytes);
            for (const path of paths()) seen.add(path);
          },
        },
      );
      equal(there(partPath({ to: TO, id: "a1" })), film);
      deepEqual([...seen], [partPath({ to: TO, id: "a1" })]);
      ok([...seen].every((path) => path.split("/").at(-1)?.startsWith(".")));
      deepEqual([told.at(-1), told], [film.byteLength, [...told].sort((a, b) => a - b)]);
    },
  },
  {
    name: "after a cut it goes on, and sends less than a megabyte again",
    async run({ client, file, there, receivedBytes }) {
      const film = content(5 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const cut = until(3 * MEGABYTE);
      const before = receivedBytes();
      await rejects(client.send(parcel, cut), (error) => error === cut.reason);
      deepEqual(there(TO), null);
      const { bytes, sentBytes } = await client.send(parcel);
      ok(sentBytes <= 2 * MEGABYTE, `${sentBytes} bytes were sent`);
      const received = receivedBytes();
      if (received !== null && before !== null) {
        // What the transport adds is counted where only the line can be watched.
        const again = received - before - bytes;
        ok(again < 1.05 * MEGABYTE, `${again} bytes came twice`);
      }
      await client.publish({ ...parcel, bytes });
      equal(there(TO), film);
    },
  },
  {
    name: "what is there whole already is compared, and not sent again",
    async run({ client, file }) {
      const parcel = { file: await file(content(2 * MEGABYTE)), to: TO, id: "a1" };
      const first = await client.send(parcel);
      deepEqual(await client.send(parcel), { ...first, sentBytes: 0 });
    },
  },
  {
    name: "a part of another content is not gone on with",
    async run(world) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await world.file(film), to: TO, id: "a1" };
      for (const other of [content(2 * MEGABYTE, 2), content(100, 2), Buffer.concat([film, film])]) {
        world.put(partPath(parcel), other);
        deepEqual((await world.client.send(parcel)).sentBytes, film.byteLength);
        equal(world.there(partPath(parcel)), film);
      }
    },
  },
  {
    name: "a part with holes near its end goes on before the first of them",
    async run({ client, file, put, there }) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const holey = Buffer.from(film.subarray(0, 2 * MEGABYTE)).fill(0, 1_500_000, 1_600_000);
      put(partPath(parcel), holey);
      const { sentBytes, bytes } = await client.send(parcel);
      ok(sentBytes >= 1_500_000 && sentBytes <= 3 * MEGABYTE);
      await client.publish({ ...parcel, bytes });
      equal(there(TO), film);
    },
  },
  {
    name: "what was changed there is noticed, and is taken away",
    async run({ client, file, put, there, paths }) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const part = partPath(parcel);
      const spoil = () => {
        const spoilt = Buffer.from(there(part) ?? []);
        const last = spoilt.byteLength - 1;
        spoilt[last] = (spoilt[last] ?? 0) ^ 1;
        put(part, spoilt);
      };
      const onBytes = (bytes: number) => bytes === film.byteLength && spoil();
      await rejects(client.send(parcel, { onBytes }), isFault("transient", "WRONG_BYTES", "failure"));
      deepEqual(paths(), []);
      await client.send(parcel);
      equal(there(part), film);
    },
  },
  {
    name: "a file that is there is replaced, and two on their way to one name do not meet",
    async run(world) {
      const [old, young] = [content(MEGABYTE, 1), content(MEGABYTE / 2, 2)];
      const [first, second] = [
        { file: await world.file(old), to: TO, id: "a1" },
        { file: await world.file(young), to: TO, id: "a2" },
      ];
      await deliver(world, first);
      await world.client.send(first);
      const { bytes } = await world.client.send(second);
      equal(world.there(TO), old);
      await world.client.publish({ ...second, bytes });
      equal(world.there(TO), young);
      await world.client.publish({ ...first, bytes: old.byteLength });
      equal(world.there(TO), old);
      deepEqual(world.paths(), [TO]);
    },
  },
  {
    name: "published twice is published once",
    async run({ client, file, there, paths }) {
      const film = content(100_000);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const { bytes } = await client.send(parcel);
      await client.publish({ ...parcel, bytes });
      await client.publish({ ...parcel, bytes });
      equal(there(TO), film);
      deepEqual(paths(), [TO]);
    },
  },
  {
    name: "a part that is gone or not whole any more is not published",
    async run({ client, file, put, there }) {
      const parcel = { file: await file(content(100_000)), to: TO, id: "a1" };
      const { bytes } = await client.send(parcel);
      const isGone = isFault("transient", "PART_GONE");
      put(partPath(parcel), content(1_000));
      await rejects(client.publish({ ...parcel, bytes }), isGone);
      await client.remove(partPath(parcel));
      await rejects(client.publish({ ...parcel, bytes }), isGone);
      put(TO, content(1_000));
      await rejects(client.publish({ ...parcel, bytes }), isGone);
      equal(there(TO), content(1_000));
    },
  },
  {
    name: "an empty file is a file",
    async run(world) {
      await deliver(world, { file: await world.file(Buffer.alloc(0)), to: TO, id: "a1" });
      equal(world.there(TO), Buffer.alloc(0));
      deepEqual(await world.client.bytesAt(TO), 0);
    },
  },
  {
    name: "what is not there can be removed, and what is there too",
    async run(world) {
      await world.client.remove(TO);
      await deliver(world, { file: await world.file(content(1_000)), to: TO, id: "a1" });
      await world.client.remove(TO);
      await world.client.remove(TO);
      deepEqual([world.paths(), await world.client.bytesAt(TO)], [[], null]);
    },
  },
];
