import { describe, expect, it } from "vitest";
import { countRows, parseWalStats } from "./wal.ts";

describe("pg_waldump", () => {
  it("gives bytes of records and of full-page images apart", () => {
    const stats = [
      "Type        N      (%)   Record size      (%)   FPI size      (%)   Combined size      (%)",
      "Heap       21 ( 16.00)          1000 ( 13.00)       2000 ( 47.00)            3000 ( 27.00)",
      "         --------                    --------                --------             --------",
      "Total     131                    7510 [64.20%]           4188 [35.80%]       11698 [100%]",
    ].join("\n");
    expect(parseWalStats(stats)).toEqual({ wal: 7510, images: 4188 });
    expect(() => parseWalStats("error")).toThrow("something else");
  });

  it("shows the rows that were written, and much else", () => {
    const record = (rmgr: string, desc: string) =>
      `rmgr: ${rmgr.padEnd(11)} len (rec/tot):     54/    54, tx:        742, lsn: 0/0155, prev 0/0150, desc: ${desc}`;
    const records = [
      record("Heap", "INSERT off 5 flags 0x00, blkref #0: rel 1663/5/16400 blk 0"),
      record("Heap", "INSERT+INIT off 1 flags 0x00"),
      record("Heap", "HOT_UPDATE off 3 xmax 742 flags 0x40 ; new off 4 xmax 0"),
      record("Heap", "UPDATE off 3 xmax 742"),
      record("Heap", "DELETE off 3 flags 0x00 KEYS_UPDATED"),
      record("Heap", "LOCK off 3: xid 742: flags 0x00 LOCK_ONLY EXCL_LOCK"),
      record("Heap2", "MULTI_INSERT 3 tuples flags 0x02"),
      record("Heap2", "PRUNE latestRemovedXid 741 nredirected 0 ndead 1"),
      record("Btree", "INSERT_LEAF off 2"),
      record("Transaction", "COMMIT 2026-11-18"),
    ];
    expect(countRows(records.join("\n"))).toBe(8);
  });
});
