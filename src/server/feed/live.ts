// The live side of the server: one shared reader, and those who are connected to it, by whichever way they came.

import { compareCursors, type Logger, type Sluice } from "../../engine/index.ts";
import { systemClock } from "../../kit/index.ts";
import type { Access } from "../access/access.ts";
import { ownOnly, type Principal } from "../access/principal.ts";
import { type Audience, parseTopics } from "./audience.ts";
import { CONNECTION_LIMITS, type ConnectionLimits, Connections } from "./connections.ts";
import { FEED_LIMITS, FEED_TIMES, type FeedLimits, type FeedTimes, LiveFeed } from "./live-feed.ts";
import type { Subscription } from "./subscription.ts";

export type LiveOptions = Partial<FeedTimes & FeedLimits & ConnectionLimits>;

export interface LivePorts {
  readonly sluice: Sluice;
  readonly access: Pick<Access, "stillIn">;
  readonly log: Logger;
  readonly options?: LiveOptions | undefined;
}

export interface Caller {
  readonly principal: Principal;
  /** What they were let in by. */
  readonly token: string;
}

export interface Wanted {
  readonly after?: string | undefined;
  readonly topics?: string | undefined;
}

export class Live {
  readonly feed: LiveFeed;
  readonly connections: Connections;

  constructor({ sluice, access, log, options = {} }: LivePorts) {
    const times = { ...FEED_TIMES, ...options };
    const limits = { ...FEED_LIMITS, ...options };
    this.feed = new LiveFeed({ sluice, clock: systemClock, log, times, limits });
    this.connections = new Connections({
      stillIn: (principal, token) => access.stillIn(principal, token),
      log,
      limits: { ...CONNECTION_LIMITS, ...options },
    });
  }

  /** Everything that can be refused is refused here, before anything is sent. */
  async subscribe(caller: Caller, wanted: Wanted): Promise<Subscription> {
    const who = audienceOf(caller.principal, wanted);
    const { after } = wanted;
    let subscription: Subscription | undefined;
    const leave = this.connections.open(caller.principal, caller.token, () => subscription?.end("access-ended"));
    try {
      await this.feed.ring();
      subscription = this.feed.subscribe({ who, after, progress: true });
      subscription.onEnd(leave);
      return subscription;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Waits until there is something to read after this place, or whoever asked has waited enough, or is gone. */
  async somethingFor(caller: Caller, wanted: Wanted & { readonly after: string }, enough: AbortSignal): Promise<void> {
    const who = audienceOf(caller.principal, wanted);
    const leave = this.connections.open(caller.principal, caller.token, () => {});
    try {
      await this.feed.somethingFor({ who, after: wanted.after }, enough);
    } finally {
      leave();
    }
  }

  close(): void {
    this.feed.close();
  }
}

export function audienceOf(principal: Principal, { after, topics }: Wanted): Audience {
  // Refuses what is none.
  if (after !== undefined) compareCursors(after, after);
  return { owner: ownOnly(principal), topics: parseTopics(topics) };
}
