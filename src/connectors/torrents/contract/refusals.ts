// What is refused, and what nobody answers.

import { deepEqual, ok, rejects } from "node:assert/strict";
import { Fault } from "../../../engine/index.ts";
import { InputError } from "../../../kit/index.ts";
import { byFile, isFault, type TorrentsContractCase } from "./world.ts";

export const refusals: readonly TorrentsContractCase[] = [
  {
    name: "a torrent that is not the one it is called is refused, and nothing is begun",
    async run({ client, make, folder, has }) {
      const [asked, given] = [await make("asked", { isSeeded: false }), await make("given", { isSeeded: false })];
      for (const source of [{ file: given.file }, { magnet: given.magnet }])
        await rejects(
          client.add({ infohash: asked.infohash, source, tag: "sluice-a", folder }),
          isFault("permanent", "WRONG_TORRENT"),
        );
      const html = { file: Buffer.from("<html>log in</html>") };
      await rejects(
        client.add({ infohash: asked.infohash, source: html, tag: "sluice-a", folder }),
        isFault("permanent", "NOT_A_TORRENT"),
      );
      deepEqual([await has(asked.infohash), await has(given.infohash)], [false, false]);
    },
  },
  {
    name: "a tag that could be somebody else's is refused, and a folder that is none",
    async run({ client, make, folder }) {
      const made = await make("tagged", { isSeeded: false });
      for (const tag of ["", "films", "sluice", "sluice-", "sluice-a,b", "sluice-ä"]) {
        await rejects(client.add(byFile(made, tag, folder)), InputError);
        await rejects(client.release(made.infohash, tag, { withFiles: true }), InputError);
      }
      for (const nowhere of ["", "/downloads\n/etc"])
        await rejects(client.add(byFile(made, "sluice-a", nowhere)), InputError);
    },
  },
  {
    name: "a client that is down is unavailable, in everything, and all is there afterwards",
    async run({ client, make, folder, down, until }) {
      const made = await make("outage", { isSeeded: false });
      await client.add(byFile(made, "sluice-a", folder));
      await down(true);
      const isDown = isFault("unavailable", "NOT_REACHED");
      await rejects(client.about(), isDown);
      await rejects(client.add(byFile(made, "sluice-b", folder)), isDown);
      await rejects(client.look(), isDown);
      await rejects(client.files(made.infohash), isDown);
      await rejects(client.nudge(made.infohash), isDown);
      await rejects(client.release(made.infohash, "sluice-a", { withFiles: true }), isDown);
      await down(false);
      const seen = await until((all) => all.has(made.infohash));
      deepEqual(seen.get(made.infohash)?.tags, ["sluice-a"]);
    },
  },
  {
    name: "an aborted call rejects with the reason it was given",
    async run({ client }) {
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(client.look(AbortSignal.abort(reason)), (error) => error === reason);
    },
  },
  {
    name: "it says who it is, where it puts things and how much room there is",
    async run({ client }) {
      const { client: who, version, folder, freeBytes, isConnected } = await client.about();
      ok(who !== "" && version !== "" && folder !== "");
      ok(freeBytes === null || freeBytes > 0);
      ok(isConnected === null || typeof isConnected === "boolean");
    },
  },
];
