// What the engine needs of a service that does long work: begin it once, find it again, look at all of it in one go.
// A plain object with these five functions is a service client, whatever stands behind it.

import type { Listed, Seen, Visit } from "../../engine/index.ts";

export type { Listed, Seen };

export interface Work<Input = unknown> {
  /** The same for every try; two starts with one key are one piece of work. */
  readonly key: string;
  readonly input: Input;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The visit's, where there is one. */
  readonly trace?: string | undefined;
}

export interface ServiceClient<Input = unknown> {
  /** The service's own name for the work. */
  start(work: Work<Input>, call?: CallOptions): Promise<string>;
  /** What was started under this key, for instance by a process that died before it could say so. */
  adopt(key: string, call?: CallOptions): Promise<string | null>;
  /** An answer for every ref. */
  look(refs: readonly string[], call?: CallOptions): Promise<readonly Seen[]>;
  /** Gone already is as good as cancelled. */
  cancel(ref: string, call?: CallOptions): Promise<void>;
  /** All work whose key begins so, or a fault: half a list would make living work look lost. */
  list(prefix: string, call?: CallOptions): Promise<readonly Listed[]>;
}

/** A supervised stage's five functions, for any service client: spread them into the stage's definition. */
export const supervised = {
  start: ({ key, input, signal, trace }: Pick<Visit, "key" | "input" | "signal" | "trace">, client: ServiceClient) =>
    client.start({ key, input }, { signal, trace }),
  adopt: ({ key, signal }: Pick<Visit, "key" | "signal">, client: ServiceClient) => client.adopt(key, { signal }),
  look: (refs: readonly string[], client: ServiceClient) => client.look(refs),
  cancel: (ref: string, client: ServiceClient) => client.cancel(ref),
  list: (client: ServiceClient, prefix: string) => client.list(prefix),
};
