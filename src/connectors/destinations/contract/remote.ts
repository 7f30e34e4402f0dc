// What can happen on a line, and who is at its other end.

import { deepEqual, match, ok, rejects } from "node:assert/strict";
import { content, equal, isFault, MEGABYTE, type RemoteDestinationContractCase } from "./world.ts";

const TO = "Ein Film (2024)/Ein Film (2024).mkv";
const SHORT_MS = 400;

export const remote: readonly RemoteDestinationContractCase[] = [
  {
    name: "a line that is cut in the middle may be mended: less than a megabyte is sent again",
    async run({ client, file, there, cutAfter, receivedBytes }) {
      const film = content(5 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const before = receivedBytes();
      cutAfter(3 * MEGABYTE);
      await rejects(client.send(parcel), isFault("transient", "CONNECTION_LOST", "failure"));
      deepEqual(there(TO), null);
      const { bytes, sentBytes } = await client.send(parcel);
      ok(sentBytes <= 3 * MEGABYTE, `${sentBytes} bytes were sent`);
      const again = (receivedBytes() ?? 0) - (before ?? 0) - bytes;
      ok(again < 1.05 * MEGABYTE, `${again} bytes came twice`);
      await client.publish({ ...parcel, bytes });
      equal(there(TO), film);
    },
  },
  {
    name: "a server that stops answering is given up, and all goes on when it answers",
    async run({ as, file, silent, there }) {
      const film = content(3 * MEGABYTE);
      const parcel = { file: await file(film), to: TO, id: "a1" };
      const impatient = as({ idleMs: SHORT_MS });
      const onBytes = (bytes: number) => bytes > MEGABYTE && silent(true);
      await rejects(impatient.send(parcel, { onBytes }), isFault("transient", "CONNECTION_LOST", "failure"));
      silent(false);
      const { bytes } = await as({}).send(parcel);
      await as({}).publish({ ...parcel, bytes });
      equal(there(TO), film);
    },
  },
  {
    name: "who is not known there is refused, and all wait until that is mended",
    async run({ as, client, file, paths }) {
      const stranger = as({ isStranger: true });
      const isRefused = isFault("unavailable", "AUTH", "open");
      await rejects(stranger.about(), isRefused);
      await rejects(stranger.send({ file: await file(content(10)), to: TO, id: "a1" }), isRefused);
      deepEqual(paths(), []);
      await client.about();
    },
  },
  {
    name: "a host key is told at the first visit, known again, and another one is not trusted with anything",
    async run({ as, file, paths, changeHostKey }) {
      const told: string[] = [];
      const onHostKey = (hostKey: string) => void told.push(hostKey);
      const { hostKey } = await as({ hostKey: null, onHostKey }).about();
      deepEqual(told, [hostKey]);
      match(hostKey ?? "", /^SHA256:[A-Za-z0-9+/]{43}$/);
      const known = as({ hostKey, onHostKey });
      await known.about();
      deepEqual(told.length, 1);
      await changeHostKey();
      const isChanged = isFault("permanent", "HOST_KEY_CHANGED", "none");
      await rejects(known.about(), isChanged);
      await rejects(known.send({ file: await file(content(10)), to: TO, id: "a1" }), isChanged);
      deepEqual(paths(), []);
      const again = await as({ hostKey: null, onHostKey }).about();
      ok(again.hostKey !== hostKey && told.at(-1) === again.hostKey);
    },
  },
];
