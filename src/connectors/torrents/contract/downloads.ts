// Downloading.

import { deepEqual, equal, ok } from "node:assert/strict";
import { byFile, byMagnet, download, isComplete, isState, type TorrentsContractCase } from "./world.ts";

export const downloads: readonly TorrentsContractCase[] = [
  {
    name: "what is added as a file is ours, comes whole, and says where it lies",
    async run(world) {
      const made = await world.make("by-file", { isSeeded: true });
      deepEqual(await world.client.add(byFile(made, "sluice-a", world.folder)), { wasThere: false });
      let before = 0;
      const seen = await world.until((all) => {
        const { receivedBytes = 0, doneBytes = 0, wantedBytes = null } = all.get(made.infohash) ?? {};
        ok(receivedBytes >= before, "what came in never falls");
        ok(wantedBytes === null || doneBytes <= wantedBytes);
        before = receivedBytes;
        return isComplete(made.infohash)(all);
      });
      const { isOurs, tags, doneBytes, wantedBytes, folder, path, problem } = seen.get(made.infohash) ?? {};
      deepEqual(
        { isOurs, tags, doneBytes, wantedBytes, folder, path, problem },
        {
          isOurs: true,
          tags: ["sluice-a"],
          doneBytes: made.bytes,
          wantedBytes: made.bytes,
          folder: world.folder,
          path: `${world.folder}/${made.name}`,
          problem: null,
        },
      );
      ok(world.isOnDisk(made, world.folder));
    },
  },
  {
    name: "what is added as a link learns its files from its peers, and comes whole",
    async run(world) {
      const made = await world.make("by-link", { isSeeded: true });
      const seen = await download(world, byMagnet(made, "sluice-a", world.folder));
      equal(seen.name, made.name);
      const files = await world.client.files(made.infohash);
      ok(files.every(({ path, bytes, doneBytes }) => path.startsWith(made.name) && bytes === doneBytes));
      equal(
        files.reduce((sum, { bytes }) => sum + bytes, 0),
        made.bytes,
      );
      ok(world.isOnDisk(made, world.folder));
    },
  },
  {
    name: "a link that nobody has stays without metadata: no size, no files, no path, and no verdict",
    async run(world) {
      const made = await world.make("no-metadata", { isSeeded: false });
      await world.client.add(byMagnet(made, "sluice-a", world.folder));
      const seen = (await world.until(isState(made.infohash, "metadata"))).get(made.infohash);
      deepEqual([seen?.wantedBytes, seen?.path, seen?.doneBytes, seen?.problem], [null, null, 0, null]);
      deepEqual(await world.client.files(made.infohash), []);
    },
  },
  {
    name: "a torrent that nobody has is downloading, with no byte and no verdict",
    async run(world) {
      const made = await world.make("nobody-has", { isSeeded: false });
      await world.client.add(byFile(made, "sluice-a", world.folder));
      const seen = (await world.until(isState(made.infohash, "downloading"))).get(made.infohash);
      deepEqual([seen?.wantedBytes, seen?.receivedBytes, seen?.seeds], [made.bytes, 0, 0]);
    },
  },
  {
    name: "two torrents of one name and different content are two downloads, each whole in its folder",
    async run(world) {
      const [one, other] = [
        await world.make("same-name", { isSeeded: true }),
        await world.make("same-name", { isSeeded: true }),
      ];
      ok(one.infohash !== other.infohash && one.name === other.name);
      await world.client.add(byFile(one, "sluice-one", `${world.folder}/one`));
      await world.client.add(byFile(other, "sluice-other", `${world.folder}/other`));
      const seen = await world.until((all) => isComplete(one.infohash)(all) && isComplete(other.infohash)(all));
      const told = [one, other].map(({ infohash }) => seen.get(infohash)).map((each) => [each?.tags, each?.folder]);
      deepEqual(told, [
        [["sluice-one"], `${world.folder}/one`],
        [["sluice-other"], `${world.folder}/other`],
      ]);
      ok(world.isOnDisk(one, `${world.folder}/one`));
      ok(world.isOnDisk(other, `${world.folder}/other`));
    },
  },
  {
    name: "one that its user paused is told so, and a nudge makes it go on",
    async run(world) {
      const made = await world.make("paused", { isSeeded: false });
      await world.client.add(byFile(made, "sluice-a", world.folder));
      await world.person.pause(made.infohash);
      await world.until(isState(made.infohash, "paused"));
      await world.client.nudge(made.infohash);
      await world.until(isState(made.infohash, "downloading"));
    },
  },
];
