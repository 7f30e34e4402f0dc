// Who is told what: what one may read, and of that what one asked for. Pure.

import { InputError, parseId } from "../../engine/index.ts";
import { formatId } from "../../kit/index.ts";
import type { Told } from "./envelope.ts";

export interface Audience {
  /** Sees what is theirs; null for those who see everything. */
  readonly owner: string | null;
  /** Null for everything one may read. */
  readonly topics: ReadonlySet<string> | null;
}

/** As this one is told it; undefined where it is none of theirs, or not asked for. */
export function shownTo(told: Told, { owner, topics }: Audience): string | undefined {
  if (topics !== null && !told.topics.some((topic) => topics.has(topic))) return undefined;
  if (owner === null || told.owner === owner) return told.json;
  return told.common;
}

const TOPICS_MOST = 100;

/** `item:itm_…,request:req_…,pipeline:name`, any of which is enough. */
export function parseTopics(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text.trim() === "") return null;
  const topics = text.split(",").map((topic) => topic.trim());
  if (topics.length > TOPICS_MOST)
    throw new InputError("topics", `topics: at most ${TOPICS_MOST}; leave some out, or all of them for everything`);
  return new Set(topics.map(parseTopic));
}

function parseTopic(topic: string): string {
  const [, kind, name] = /^(item|request|pipeline):(.+)$/s.exec(topic) ?? [];
  if (kind === "item" && name !== undefined) return `item:${formatId("item", parseId("item", name, "topics"))}`;
  if (kind === "request" && name !== undefined)
    return `request:${formatId("request", parseId("request", name, "topics"))}`;
  if (kind === "pipeline" && name !== undefined) return `pipeline:${name}`;
  throw new InputError(
    "topics",
    `topics are item:itm_…, request:req_… or pipeline:name, with commas between, got ${JSON.stringify(topic.slice(0, 60))}`,
  );
}
