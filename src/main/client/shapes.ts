// What of the API's answers the commands look at. The contract has the whole of it.

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next?: string | null;
}

export interface ItemLine {
  readonly id: string;
  readonly request: string;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly state: string;
  readonly status: string;
  readonly reason: string | null;
  readonly since: string;
  readonly until: string | null;
  readonly attempts: number;
  readonly maxAttempts: number | null;
  readonly progress: number;
  readonly key: string | null;
  readonly part: string | null;
  readonly owner: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly code?: string | null;
  readonly lastError?: { readonly code: string; readonly message: string | null } | null;
}

export interface Wait {
  readonly code: string;
  readonly sentence: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly actions: readonly string[];
}

export interface ItemView extends Omit<ItemLine, "reason" | "since" | "until" | "createdAt" | "code" | "lastError"> {
  readonly lastError: { readonly code: string; readonly message: string | null } | null;
  readonly wait: Wait;
  readonly priority: number;
  readonly targets: readonly {
    readonly id: string;
    readonly name: string;
    readonly stage: string;
    readonly state: string;
  }[];
  readonly startedAt: string | null;
  readonly createdAt?: string;
  readonly checkpoint?: { readonly stage: string; readonly at: string; readonly value: unknown } | null;
  readonly outside?: readonly { readonly service: string; readonly stage: string; readonly ref: string | null }[];
  readonly input: unknown;
  readonly outputs: Readonly<Record<string, unknown>>;
}

export interface RequestView {
  readonly id: string;
  readonly status: string;
  readonly key: string | null;
  readonly owners: readonly string[];
  readonly counts: {
    readonly total: number;
    readonly completed: number;
    readonly partly: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly progress: number;
  readonly createdAt: string;
}

/** What is told of an action; a dry run says what would be done. */
export interface Acted {
  readonly would:
    | null
    | string
    | {
        readonly items: number;
        readonly stage: string | null;
        readonly keeps: readonly string[];
        readonly redoes: readonly string[];
      };
}
