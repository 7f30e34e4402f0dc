import { expect, it } from "vitest";
import type { SeenTorrent } from "../../../connectors/index.ts";
import { Setbacks } from "./setbacks.ts";

const seen = (bytes: number, wantedBytes: number | null = 100): SeenTorrent => ({
  ...{ infohash: "a", name: "film", state: "downloading", clientState: "downloading", tags: [], isOurs: true },
  ...{ doneBytes: bytes, wantedBytes, receivedBytes: bytes, seeds: 1, ratio: 0, seededMs: 0 },
  ...{ path: null, folder: null, problem: null },
});
type Marks = Readonly<Record<string, number>>;
const highest = (known: Marks, told: Marks): Marks => ({
  ...known,
  ...Object.fromEntries(Object.entries(told).filter(([name, value]) => value > (known[name] ?? 0))),
});
/** As the engine keeps what it is told; each life of the worker has a memory of its own. */
const looks = (...lives: (readonly SeenTorrent[])[]): readonly Marks[] => {
  let known: Marks = {};
  return lives.flatMap((all) => {
    const setbacks = new Setbacks();
    return all.map((torrent) => {
      const told = setbacks.marksOf(new Map([["a", torrent]]))(torrent, known);
      known = highest(known, told);
      return told;
    });
  });
};

it("counts bytes under one name while they rise", () => {
  expect(looks([seen(0), seen(10), seen(20)])).toEqual([
    { bytes: 0, metadata: 0 },
    { bytes: 10, metadata: 0 },
    { bytes: 20, metadata: 0 },
  ]);
});

it("counts under another name after each setback, so that what comes again is something new", () => {
  expect(looks([seen(50), seen(5), seen(6), seen(0), seen(1), seen(7)])).toEqual([
    { bytes: 50, metadata: 0 },
    { "bytes-2": 5, metadata: 0 },
    { "bytes-2": 6, metadata: 0 },
    { "bytes-3": 0, metadata: 0 },
    { "bytes-3": 1, metadata: 0 },
    { "bytes-3": 7, metadata: 0 },
  ]);
});

it("knows a setback also where it has begun anew together with the client, or since", () => {
  expect(looks([seen(50)], [seen(5), seen(6)], [seen(6), seen(7)], [seen(2)])).toEqual([
    { bytes: 50, metadata: 0 },
    { "bytes-2": 5, metadata: 0 },
    { "bytes-2": 6, metadata: 0 },
    { "bytes-2": 6, metadata: 0 },
    { "bytes-2": 7, metadata: 0 },
    { "bytes-3": 2, metadata: 0 },
  ]);
});

it("takes metadata for a sign of life only where it was missing before", () => {
  expect(looks([seen(0, null), seen(0)]).map((marks) => marks.metadata)).toEqual([0, 1]);
  expect(looks([seen(0), seen(0)]).map((marks) => marks.metadata)).toEqual([0, 0]);
});
