// An item for actions to be planned on.

import { ITEM_STATE, RUN_STATE } from "../../src/engine/items/codes.ts";
import type { ItemFacts } from "../../src/engine/operate/facts.sql.ts";

export const stages = ["search", "download", "encode"];

/** In the middle of its pipeline, queued. */
export const queued: ItemFacts = {
  id: "7",
  request_id: "3",
  item_state: ITEM_STATE.live,
  run_version: 4,
  end_version: 0,
  pipeline_id: 1,
  pipeline: "films",
  pipeline_version: 1,
  stages,
  part: null,
  owner: "ann",
  priority: 3,
  run_state: RUN_STATE.idle,
  stage: 1,
  series: 1,
  flags: 0,
  is_fresh: false,
  awaits_own: false,
  has_live_parts: false,
  unique_key: null,
  key_taken: false,
  parent_request: null,
  owners: [],
};
