// Names that occur, and such that must lead nowhere.

import { deepEqual, rejects } from "node:assert/strict";
import { InputError } from "../../../kit/index.ts";
import { content, type DestinationContractCase, deliver, equal } from "./world.ts";

const STRANGE = [
  "no folder.mkv",
  "one/two/three/four.mkv",
  "Ümlaute & Ñ/日本語 🎬.mkv",
  "Amélie – decomposed/e\u0301.mkv",
  `it's "quoted" $HOME \`id\`/a;b|c>d.mkv`,
  "-rf/--help.mkv",
  "*?[x]{y}~/%41 \\n.mkv",
  " spaces / all around .mkv",
  "...dots/..almost.mkv",
  `${"x".repeat(251)}.mkv`,
  `${"ü".repeat(125)}.mkv`,
];

const HOSTILE = [
  "",
  "/",
  "/etc/passwd",
  "..",
  "../outside.mkv",
  "a/../../outside.mkv",
  "a/./b.mkv",
  "a//b.mkv",
  "a/",
  "a\0b.mkv",
  "a\nb.mkv",
  "a\u007f.mkv",
  `${"x".repeat(252)}.mkv`,
  `${"ü".repeat(126)}.mkv`,
];

export const names: readonly DestinationContractCase[] = [
  {
    name: "names may have spaces, umlauts, quotes, signs of a shell, and 255 bytes",
    async run(world) {
      const sent = content(2_000);
      const file = await world.file(sent);
      for (const to of STRANGE) await deliver(world, { file, to, id: "a1" });
      deepEqual([...world.paths()].sort(), [...STRANGE].sort());
      for (const to of STRANGE) equal(world.there(to), sent);
    },
  },
  {
    name: "names that lead elsewhere or can be none are refused, before anybody is asked",
    async run({ client, file, paths, down }) {
      const sent = await file(content(10));
      await down(true);
      for (const to of HOSTILE) {
        await rejects(client.send({ file: sent, to, id: "a1" }), InputError, JSON.stringify(to));
        await rejects(client.publish({ to, id: "a1", bytes: 10 }), InputError);
        await rejects(client.bytesAt(to), InputError);
        await rejects(client.sha256At(to), InputError);
        await rejects(client.remove(to), InputError);
      }
      for (const id of ["", "../x", "a/b", "a b", "ä", "x".repeat(101)])
        await rejects(client.send({ file: sent, to: "film.mkv", id }), InputError);
      await down(false);
      deepEqual(paths(), []);
    },
  },
];
