// What stages read and write, over a connection that is asked for when it is needed: a stage may run where no engine is open.

import { type ItemId, parseId, type Statement, type Tables, tellExpired } from "../../../engine/index.ts";
import { DOCUMENT_CODES } from "../codes.ts";
import type { DocumentStore } from "../ports.ts";
import { expireResults, expireSources, findSource } from "./documents.sql.ts";
import { forgetFile, touchFile } from "./files.sql.ts";

const NOW: Statement = { name: "documents-now", text: "select sluice.now() as now" };

const itemOf = (id: ItemId): string => parseId("item", id);

export function documentStore(db: () => Promise<Tables>): DocumentStore {
  return {
    async now() {
      const [row] = await (await db()).query<{ now: Date }>(NOW, []);
      if (row === undefined) throw new Error("a row is always answered");
      return row.now;
    },
    source: async (item) => findSource(await db(), itemOf(item)),
    touchResult: async (sha256, bytes) => touchFile(await db(), "result", sha256, bytes),
    expireSources: async (keepMs, most) => (await expireSources(await db(), keepMs, most)).length,
    expireResults: async (keepMs, most) =>
      (await db()).transaction(async (tx) => {
        const items = await expireResults(tx, keepMs, most);
        await tellExpired(tx, items, DOCUMENT_CODES.EXPIRED.sentence);
        return items.length;
      }),
    async forgetFiles(kind, most, remove) {
      const tables = await db();
      for (let forgotten = 0; forgotten < most; forgotten += 1) {
        // The file goes while its row is held: whoever uploads the same meanwhile waits, and puts it there anew.
        const sha256 = await tables.transaction(async (tx) => {
          const found = await forgetFile(tx, kind);
          if (found !== undefined) await remove(found);
          return found;
        });
        if (sha256 === undefined) return forgotten;
      }
      return most;
    },
  };
}
