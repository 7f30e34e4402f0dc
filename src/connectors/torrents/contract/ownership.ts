// Whose it is, and who lets go of it.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { byFile, byMagnet, download, isComplete, isFault, type TorrentsContractCase } from "./world.ts";

export const ownership: readonly TorrentsContractCase[] = [
  {
    name: "adding what is there is a success, and it is there once",
    async run(world) {
      const made = await world.make("twice", { isSeeded: false });
      const { wasThere } = await world.client.add(byFile(made, "sluice-a", world.folder));
      const again = await world.client.add(byFile(made, "sluice-a", world.folder));
      const other = await world.client.add(byMagnet(made, "sluice-b", world.folder));
      deepEqual([wasThere, again.wasThere, other.wasThere], [false, true, true]);
      const seen = await world.until((all) => all.get(made.infohash)?.tags.length === 2);
      equal(seen.size, 1);
      deepEqual([...(seen.get(made.infohash)?.tags ?? [])].sort(), ["sluice-a", "sluice-b"]);
      equal(seen.get(made.infohash)?.isOurs, true);
    },
  },
  {
    name: "ours goes with the last of its tags, with its files where that is asked",
    async run(world) {
      const made = await world.make("released", { isSeeded: true });
      await download(world, byFile(made, "sluice-a", world.folder));
      await world.client.add(byFile(made, "sluice-b", world.folder));
      await world.client.release(made.infohash, "sluice-a", { withFiles: true });
      const seen = await world.until((all) => all.get(made.infohash)?.tags.length === 1);
      deepEqual(seen.get(made.infohash)?.tags, ["sluice-b"]);
      ok(world.isOnDisk(made, world.folder));
      await world.client.release(made.infohash, "sluice-b", { withFiles: true });
      // Files go after their torrent, in their own time.
      await world.until((all) => !all.has(made.infohash) && !world.isOnDisk(made, world.folder));
      equal(await world.has(made.infohash), false);
    },
  },
  {
    name: "its files stay where they are wanted",
    async run(world) {
      const made = await world.make("kept", { isSeeded: true });
      await download(world, byFile(made, "sluice-a", world.folder));
      await world.client.release(made.infohash, "sluice-a", { withFiles: false });
      await world.until((all) => !all.has(made.infohash));
      deepEqual([await world.has(made.infohash), world.isOnDisk(made, world.folder)], [false, true]);
    },
  },
  {
    name: "what somebody else began only gets our tag, and stays when we are done with it",
    async run(world) {
      const made = await world.make("theirs", { isSeeded: true });
      await world.person.add(made, world.folder);
      equal((await world.client.look()).size, 0);
      deepEqual(await world.client.add(byFile(made, "sluice-a", `${world.folder}/ours`)), { wasThere: true });
      const seen = (await world.until(isComplete(made.infohash))).get(made.infohash);
      deepEqual([seen?.isOurs, seen?.tags, seen?.folder], [false, ["sluice-a"], world.folder]);
      await world.client.release(made.infohash, "sluice-a", { withFiles: true });
      await world.until((all) => !all.has(made.infohash));
      deepEqual([await world.has(made.infohash), world.isOnDisk(made, world.folder)], [true, true]);
    },
  },
  {
    name: "what was deleted at the client is gone: to let go of it and to nudge it is no fault, its files are one",
    async run(world) {
      const made = await world.make("deleted", { isSeeded: false });
      await world.client.add(byFile(made, "sluice-a", world.folder));
      await world.person.remove(made.infohash);
      await world.until((all) => !all.has(made.infohash));
      await rejects(world.client.files(made.infohash), isFault("transient", "TORRENT_GONE"));
      await world.client.nudge(made.infohash);
      await world.client.release(made.infohash, "sluice-a", { withFiles: true });
      await world.client.release(made.infohash, "sluice-a", { withFiles: true });
      deepEqual(await world.client.add(byFile(made, "sluice-a", world.folder)), { wasThere: false });
    },
  },
];
