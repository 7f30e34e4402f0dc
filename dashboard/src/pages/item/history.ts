import type { History } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { usePages } from "../../api/pages.ts";

type Entry = History["entries"][number];

/** Newest first: what happened last is what one comes for. */
export const useHistory = (id: string) =>
  usePages<Entry, Pick<History, "isThinned">>(
    ["item", id, "history"],
    `/api/v1/items/${enc(id)}/history?limit=200&order=newest`,
  );
