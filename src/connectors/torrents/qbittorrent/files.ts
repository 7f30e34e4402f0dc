import type { TorrentFile } from "../torrents.ts";
import { record } from "./picture.ts";
import { amount, count } from "./states.ts";

export function readFiles(answer: unknown): readonly TorrentFile[] {
  if (!Array.isArray(answer)) throw new Error("the files are no list");
  return answer.map((entry: unknown, place) => {
    const { index, name, size, progress } = record(entry, "a file");
    if (typeof name !== "string" || name === "") throw new Error("a file has no name");
    const bytes = count(size);
    return {
      // Their places are their numbers where none are told: before 4.4.
      index: typeof index === "number" ? index : place,
      path: name,
      bytes,
      doneBytes: Math.floor(bytes * Math.min(1, amount(progress))),
    };
  });
}
