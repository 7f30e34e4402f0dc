import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../kit/index.ts";
import { type Block, Picker } from "./picker.ts";
import { PieceSet } from "./piece-set.ts";
import { BLOCK_BYTES } from "./wire.ts";

const sizes = { pieceBytes: 2 * BLOCK_BYTES, pieceCount: 4, totalBytes: 7 * BLOCK_BYTES - 100 };
const make = () => new Picker<string>(sizes, new PieceSet(4), seededRandom(1));
const having = (...pieces: number[]) => {
  const set = new PieceSet(4);
  for (const piece of pieces) set.add(piece);
  return set;
};
const all = having(0, 1, 2, 3);
const data = ({ length }: Block) => Buffer.alloc(length, 5);

describe("which block is asked for", () => {
  it("is of a piece that was begun, before another is begun", () => {
    const picker = make();
    const first = picker.next("ann", all);
    expect(picker.next("bob", all)).toMatchObject({ piece: first?.piece, offset: BLOCK_BYTES });
  });

  it("is of the piece that the fewest have", () => {
    const picker = make();
    for (const piece of [0, 1, 3]) picker.counted(piece, 1);
    expect(picker.next("ann", all)?.piece).toBe(2);
  });

  it("is one that the peer has and we have not", () => {
    const picker = make();
    picker.settle(0, true);
    expect(picker.next("ann", having(0))).toBeUndefined();
    expect(picker.wants(having(0))).toBe(false);
    expect(picker.next("ann", having(0, 3))?.piece).toBe(3);
  });

  it("is shorter at the end", () => {
    const picker = make();
    expect(picker.next("ann", having(3))).toEqual({ piece: 3, offset: 0, length: BLOCK_BYTES - 100 });
  });

  it("is asked of another when the first will not send it", () => {
    const picker = make();
    const block = picker.next("ann", having(3));
    expect(picker.next("bob", having(3))).toBeUndefined();
    if (block !== undefined) picker.unask("ann", block);
    expect(picker.next("bob", having(3))).toEqual(block);
  });

  it("is asked of several when it is the last, and then of none again", () => {
    const picker = make();
    for (const piece of [0, 1, 2]) picker.settle(piece, true);
    const block = picker.next("ann", all);
    expect(picker.next("bob", all)).toEqual(block);
    if (block === undefined) throw new Error("there is one");
    const { others, whole, givers } = picker.take("bob", block, data(block));
    expect([others, whole?.length, givers]).toEqual([["ann"], BLOCK_BYTES - 100, ["bob"]]);
    expect(picker.take("ann", block, data(block)).whole).toBeUndefined();
  });
});

it("a piece that was wrong is begun again", () => {
  const picker = make();
  const block = picker.next("ann", having(3));
  if (block === undefined) throw new Error("there is one");
  picker.take("ann", block, data(block));
  picker.settle(3, false);
  expect(picker.have.count).toBe(0);
  expect(picker.next("ann", having(3))).toEqual(block);
});

describe("a set of pieces", () => {
  it("is the same again from its bytes", () => {
    const set = having(0, 3);
    const again = PieceSet.from(set.toBytes(), 4);
    expect([again?.count, again?.has(0), again?.has(1), again?.has(3)]).toEqual([2, true, false, true]);
  });

  it("is refused where it is of another size, or claims more than there are", () => {
    expect(PieceSet.from(Buffer.alloc(2), 4)).toBeUndefined();
    expect(PieceSet.from(Buffer.from([0x08]), 4)).toBeUndefined();
  });
});
