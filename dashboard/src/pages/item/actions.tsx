import type { Item } from "../../../../src/server/contract/wire.ts";

export function Actions({ item: _ }: { readonly item: Item }) {
  return null;
}
