// What is refused, what has to wait, and what was given up.

import { deepEqual, ok, rejects } from "node:assert/strict";
import { rm, truncate, utimes, writeFile } from "node:fs/promises";
import { Fault } from "../../../engine/index.ts";
import { partPath } from "../places.ts";
import { content, type DestinationContractCase, deliver, equal, isFault, MEGABYTE, until } from "./world.ts";

const TO = "Ein Film (2024)/Ein Film (2024).mkv";

export const refusals: readonly DestinationContractCase[] = [
  {
    name: "where nothing may be written it fails for good, and is no trouble of the service",
    async run(world) {
      const parcel = { file: await world.file(content(1_000)), to: TO, id: "a1" };
      await deliver(world, parcel);
      await world.readOnly(true);
      const isDenied = isFault("permanent", "PERMISSION_DENIED", "none");
      await rejects(world.client.send({ ...parcel, id: "a2" }), isDenied);
      await rejects(world.client.send({ ...parcel, to: "another folder/film.mkv" }), isDenied);
      await rejects(world.client.remove(TO), isDenied);
      await world.readOnly(false);
      deepEqual(world.paths(), [TO]);
    },
  },
  {
    name: "a disk that is too small is not written to, or until it is full; then all waits",
    async run({ client, file, smallDisk }) {
      const { folder } = await smallDisk();
      const parcel = { file: await file(content(10 * MEGABYTE)), to: `${folder}film.mkv`, id: "a1" };
      await rejects(client.send(parcel), isFault("unavailable", "DISK_FULL", "none"));
      deepEqual(await client.bytesAt(parcel.to), null);
    },
  },
  {
    name: "a disk that fills up meanwhile is waited for, and sending goes on when there is room again",
    async run({ client, file, there, smallDisk }) {
      const disk = await smallDisk();
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: `${disk.folder}film.mkv`, id: "a1" };
      let isFilled = false;
      const onBytes = (bytes: number) => {
        if (bytes < MEGABYTE || isFilled) return;
        isFilled = true;
        disk.fill();
      };
      await rejects(client.send(parcel, { onBytes }), isFault("unavailable", "DISK_FULL", "none"));
      disk.free();
      const { bytes, sentBytes } = await client.send(parcel);
      ok(sentBytes <= 2 * MEGABYTE, `${sentBytes} bytes were sent`);
      await client.publish({ ...parcel, bytes });
      equal(there(parcel.to), film);
    },
  },
  {
    name: "what is down is unavailable, in everything, and all is there afterwards",
    async run(world) {
      const { client, down } = world;
      const parcel = { file: await world.file(content(1_000)), to: TO, id: "a1" };
      await deliver(world, parcel);
      await down(true);
      const isDown = isFault("unavailable", "NOT_REACHED", "failure");
      await rejects(client.about(), isDown);
      await rejects(client.bytesAt(TO), isDown);
      await rejects(client.send(parcel), isDown);
      await rejects(client.publish({ ...parcel, bytes: 1_000 }), isDown);
      await rejects(client.remove(TO), isDown);
      await down(false);
      deepEqual(await client.bytesAt(TO), 1_000);
    },
  },
  {
    name: "a file to send that is not there fails for good, and one that changes meanwhile may be sent later",
    async run({ client, file, paths }) {
      const parcel = { file: await file(content(3 * MEGABYTE)), to: TO, id: "a1" };
      await rejects(client.send({ ...parcel, file: `${parcel.file}-not` }), isFault("permanent", "ENOENT"));
      const isChanged = isFault("transient", "SOURCE_CHANGED", "none");
      const shrinks = () => void truncate(parcel.file, 10);
      await rejects(client.send(parcel, { onBytes: once(shrinks) }), isChanged);
      await writeFile(parcel.file, content(3 * MEGABYTE));
      const isTouched = () => void utimes(parcel.file, 1, 1);
      await rejects(client.send(parcel, { onBytes: once(isTouched) }), isChanged);
      ok(!paths().includes(TO));
    },
  },
  {
    name: "a file to send that is deleted meanwhile is sent to its end",
    async run({ client, file, there }) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      await client.send(parcel, { onBytes: once(() => void rm(parcel.file)) });
      equal(there(partPath(parcel)), film);
    },
  },
  {
    name: "an aborted call rejects with the reason it was given, before anything or in the middle",
    async run({ client, file }) {
      const parcel = { file: await file(content(3 * MEGABYTE)), to: TO, id: "a1" };
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      const signal = AbortSignal.abort(reason);
      const isReason = (error: unknown) => error === reason;
      await rejects(client.send(parcel, { signal }), isReason);
      await rejects(client.about(signal), isReason);
      await rejects(client.bytesAt(TO, signal), isReason);
      await rejects(client.publish({ ...parcel, bytes: 1 }, signal), isReason);
      await rejects(client.remove(TO, signal), isReason);
      const middle = until(MEGABYTE);
      await rejects(client.send(parcel, middle), (error) => error === middle.reason);
    },
  },
  {
    name: "it says what it is and how much room there is",
    async run({ client }) {
      const { kind, root, freeBytes, isAtomic, hasSync, hostKey } = await client.about();
      ok(["folder", "sftp"].includes(kind) && root !== "");
      ok(freeBytes === null || freeBytes > 0);
      ok(typeof isAtomic === "boolean" && typeof hasSync === "boolean");
      deepEqual(hostKey === null, kind === "folder");
    },
  },
];

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
