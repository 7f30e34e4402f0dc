// What is being switched off or held is so when every worker has seen it, and that is no event.

import type { List, Pipeline } from "../../../src/server/contract/wire.ts";

const SOON_MS = 2_000;

/** After how long to ask again; false where nothing is on its way. */
export function untilClosed(pipelines: List<Pipeline> | undefined): number | false {
  const isClosing = pipelines?.entries.some(({ closed }) => closed.some(({ state }) => state === "closing")) ?? false;
  return isClosing ? SOON_MS : false;
}
