// The tables as typed reads see them: what a column reads as, through either database. The schema itself is in the
// migrations; columns that no typed read wants are left to the plain statements.

/** int8 reads as decimal text: ids above 2^53 would be rounded. */
type Int8 = string;
/** 'infinity' reads as null. */
type Endless = Date | null;

export interface PipelineTable {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly shape: string;
  readonly stages: string[];
  readonly created_at: Date;
}

export interface RequestTable {
  readonly id: Int8;
  readonly parent_id: Int8 | null;
  readonly key: string | null;
  readonly total: number;
  readonly completed: number;
  readonly partly: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly parts_of: number | null;
  readonly is_whole: boolean;
  readonly created_at: Date;
}

export interface RequestOwnerTable {
  readonly request_id: Int8;
  readonly owner: string;
  readonly joined_at: Date;
}

export interface ItemTable {
  readonly id: Int8;
  readonly request_id: Int8;
  readonly nonce: Int8;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly pipeline_id: number;
  readonly run_version: number;
  readonly priority: number;
  readonly state: number;
  readonly codec: number;
  readonly owner: string | null;
  readonly fairness: string | null;
  readonly key: string | null;
  readonly input: unknown;
  readonly part: string | null;
  readonly title: string | null;
}

export interface RunTable {
  readonly id: Int8;
  readonly request_id: Int8;
  readonly epoch: Int8 | null;
  readonly ready_at: Endless;
  readonly since: Date;
  readonly begun_at: Date | null;
  readonly version: number;
  readonly lane: number;
  readonly stage: number;
  readonly priority: number;
  readonly state: number;
  readonly attempts: number;
  readonly series: number;
  readonly backs: number;
  readonly waits: number;
  readonly suspicion: number;
  readonly crashes: number;
  readonly flags: number;
  readonly progress: number | null;
  readonly reason: string | null;
  readonly ref: string | null;
}

export interface JournalTable {
  readonly xid: string;
  readonly seq: Int8;
  readonly at: Date;
  readonly item_id: Int8 | null;
  readonly request_id: Int8 | null;
  readonly epoch: Int8 | null;
  readonly version: number | null;
  readonly took_ms: number | null;
  readonly kind: number;
  readonly stage: number | null;
  readonly to_stage: number | null;
  readonly ended: number;
  readonly attempt: number | null;
  readonly series: number | null;
  readonly kept: boolean;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly output: unknown;
}

export interface CheckpointTable {
  readonly run_id: Int8;
  readonly stage: number;
  readonly value: unknown;
  readonly written_at: Date;
}

export interface Tables {
  readonly "sluice.pipeline": PipelineTable;
  readonly "sluice.request": RequestTable;
  readonly "sluice.request_owner": RequestOwnerTable;
  readonly "sluice.item": ItemTable;
  readonly "sluice.run": RunTable;
  readonly "sluice.journal": JournalTable;
  readonly "sluice.checkpoint": CheckpointTable;
}
