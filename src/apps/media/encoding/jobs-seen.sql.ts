// Jobs of the board as people see them.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";
import type { JobFailure, JobReport } from "./conversation.ts";

export interface SeenJobRow {
  readonly item_id: string;
  readonly title: string | null;
  readonly encoding: string;
  readonly state: "waiting" | "given" | "done" | "failed";
  readonly encoder: string | null;
  readonly turn: number;
  readonly source_bytes: number;
  readonly put_at: Date;
  readonly given_at: Date | null;
  readonly ended_at: Date | null;
  readonly report: JobReport | null;
  readonly trouble: string | null;
  readonly outcome: Encoded | null;
  readonly fault: JobFailure | null;
}

const columns = `j.item_id, i.title, j.encoding, j.state, j.encoder, j.turn, j.source_bytes::float8 as source_bytes, j.put_at,
  j.given_at, j.ended_at, j.report, j.trouble, j.outcome, j.fault`;

const GIVEN: Statement = {
  name: "media-given-jobs",
  text: `
select ${columns} from media.encode_job j left join sluice.item i on i.id = j.item_id
where j.state = 'given' order by j.given_at, j.key limit 1000`,
};

export async function listGiven(db: Queryable): Promise<SeenJobRow[]> {
  return await db.query<SeenJobRow>(GIVEN, []);
}

const OF_ITEM: Statement = {
  name: "media-jobs-of-item",
  text: `
select ${columns} from media.encode_job j left join sluice.item i on i.id = j.item_id
where j.item_id = $1 order by j.encoding, j.put_at limit 200`,
};

export async function listOfItem(db: Queryable, item: string): Promise<SeenJobRow[]> {
  return await db.query<SeenJobRow>(OF_ITEM, [item]);
}
