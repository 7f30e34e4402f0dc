// What is wrong with a run: from what is known when it is over. Pure.

import { ENCODERS } from "../../../sandbox/media/encoder-thing.ts";
import type { Broken, Evidence, Happened, ItemFacts, Shelved } from "./evidence.ts";

export interface Finding {
  readonly kind:
    | "not completed"
    | "untrue reason"
    | "stuck"
    | "wrong content"
    | "half a file"
    | "orphan"
    | "left behind"
    | "process"
    | "attempt"
    | "transitions"
    | "rules";
  readonly what: string;
}

export function check(evidence: Evidence): readonly Finding[] {
  return [
    ...reasons(evidence),
    ...evidence.stuck.map((what): Finding => ({ kind: "stuck", what })),
    ...evidence.doctor.map((what): Finding => ({ kind: "rules", what })),
    ...contents(evidence),
    ...halves(evidence),
    ...orphans(evidence),
    ...leftBehind(evidence),
    ...evidence.processes.map((what): Finding => ({ kind: "process", what })),
    ...told(evidence),
    ...attempts(evidence),
  ];
}

/** What was downloaded is right, and so is what lies at every server. */
export const isCompleted = ({ state, judged, delivered }: ItemFacts): boolean =>
  state === "done" && judged?.wrong === null && delivered.length > 0 && delivered.every(({ wrong }) => wrong === null);

/** Nobody has it, and that is what it waits for; or it is just being looked for once more. */
export function isNowhere({ asked, state, reason, history }: ItemFacts, unknown: ReadonlySet<string>): boolean {
  if (asked === null || !unknown.has(asked)) return false;
  if (state === "waiting") return reason === "not_available";
  const last = history.at(-1);
  return state === "queued" && last?.outcome === "wait" && last.reason === "not_available";
}

/** What is not there waits because nobody has it, and says so; everything else should be there, for all is mended. */
function reasons({ items, unknown }: Evidence): Finding[] {
  return items.flatMap((item): Finding[] => {
    const { id, asked, state, reason, sentence, pipeline, partOf } = item;
    // Parts of something that began again are nobody's any more; where one is missing, its item is not done.
    if (state === "done" || partOf !== null) return [];
    const what = `${id} ${asked ?? pipeline} is ${state} (${reason}): ${sentence}`;
    const isUnknown = asked !== null && unknown.has(asked);
    if (isNowhere(item, unknown)) return [];
    return [{ kind: isUnknown || state !== "failed" ? "untrue reason" : "not completed", what }];
  });
}

function contents({ items }: Evidence): Finding[] {
  return items.flatMap(({ id, judged, delivered }): Finding[] =>
    [judged?.wrong, ...delivered.map(({ wrong }) => wrong)].flatMap((wrong): Finding[] =>
      wrong == null ? [] : [{ kind: "wrong content", what: `${id}: ${wrong}` }],
    ),
  );
}

const nameOf = ({ server, path }: Shelved): string => `${server}: ${path}`;

/** Whatever was ever seen under a name is what lies there in the end, which is known to be whole. */
function halves({ items, versions }: Evidence): Finding[] {
  const whole = new Map(items.flatMap(({ delivered }) => delivered.map((one) => [nameOf(one), one.sha256])));
  return versions
    .filter((seen) => whole.get(nameOf(seen)) !== seen.sha256)
    .map((seen): Finding => ({ kind: "half a file", what: `${nameOf(seen)} was seen with ${seen.bytes} bytes` }));
}

/** At a server lies what was delivered, and nothing else. */
function leftBehind({ items, shelved }: Evidence): Finding[] {
  const known = new Set(items.flatMap(({ delivered }) => delivered.map(nameOf)));
  return shelved.filter((one) => !known.has(nameOf(one))).map((one) => ({ kind: "left behind", what: nameOf(one) }));
}

function told({ transitions: { lines, events, recorded } }: Evidence): Finding[] {
  if (lines === recorded && events === recorded) return [];
  return [{ kind: "transitions", what: `${recorded} are recorded, ${events} events and ${lines} lines were told` }];
}

/** Every torrent of ours is some item's, once; and every item that is done has its own. */
function orphans({ items, torrents }: Evidence): Finding[] {
  const done = items.flatMap(({ judged }) => judged?.infohash ?? []);
  const users = Map.groupBy(done, (infohash) => infohash);
  const there = new Set(torrents.map(({ infohash }) => infohash));
  const left = torrents.flatMap(({ infohash, tags, isOurs }): Finding[] => {
    const own = users.get(infohash)?.length ?? 0;
    if (tags.length === own && (own > 0 || !isOurs)) return [];
    return [{ kind: "orphan", what: `${infohash} has ${tags.length} tags of ours, and ${own} items use it` }];
  });
  const lost = [...users.keys()].filter((infohash) => !there.has(infohash));
  return [
    ...left,
    ...lost.map((infohash): Finding => ({ kind: "orphan", what: `${infohash} is gone from the client` })),
  ];
}

/** Never spent on these: somebody else was away, or asked us to wait. */
const OUTAGES = new Set([
  ...["NOT_REACHED", "RATE_LIMITED", "BUSY", "HTTP_503", "SERVICE_DOWN", "TLS", "AUTH", "DISK_FULL", "NO_CLIENT"],
  ...["SWITCHED_OFF", "WRONG_ADDRESS", "NO_WORKER", "PROGRAM_MISSING", "INTERRUPTED"],
]);
/** Those that count, and what has to have been broken at that moment. */
const COUNTED: Readonly<Record<string, (one: Broken) => boolean>> = {
  // Half an answer, or none to what was sent: a process ended in the middle of it.
  RESET: ({ fault }) => fault === "stop" || fault === "kill",
  TRUNCATED: ({ fault }) => fault === "stop" || fault === "kill",
  TIMEOUT: ({ fault }) => fault === "stop" || fault === "kill",
  BAD_ANSWER: ({ fault }) => fault === "nonsense",
  // A server that was stopped, or a line that was cut, in the middle of a film.
  CONNECTION_LOST: ({ fault }) => fault === "stop" || fault === "cut",
  STALLED: ({ thing, fault }) => isEncoder(thing) && fault !== "kill",
  // What ffmpeg had begun ended with it.
  LOST: ({ thing }) => isEncoder(thing),
};
const isEncoder = (thing: string): boolean => ENCODERS.some((name) => name === thing);

/** Between what was done and when it is written down. */
const LATE_MS = 15_000;
/** Told of a torrent that is not there; however late, for its client and whoever looks may have been away. */
const MISSED = new Set(["VANISHED", "TORRENT_GONE"]);
const INFOHASH = /[0-9a-f]{40}/;

export const isSpent = ({ outcome, attempt }: Happened): boolean => outcome === "fault" && attempt !== null;

function attempts({ items, broken, deleted }: Evidence): Finding[] {
  const isDeleted = (message: string | null) => deleted.has(INFOHASH.exec(message ?? "")?.[0] ?? "");
  return items.flatMap(({ id, history }) =>
    history.filter(isSpent).flatMap((entry): Finding[] => {
      const { code, ended, from, message } = entry;
      const what = `${id} spent an attempt in ${from} on ${code}: ${message}`;
      if (OUTAGES.has(code ?? "")) return [{ kind: "attempt", what }];
      const isMeant = COUNTED[code ?? ""];
      const isDue = (one: Broken) => one.from <= ended && ended.getTime() - one.to.getTime() <= LATE_MS;
      const isExplained = MISSED.has(code ?? "")
        ? isDeleted(message)
        : isMeant !== undefined && broken.some((one) => isDue(one) && isMeant(one));
      return isExplained ? [] : [{ kind: "attempt", what: `${what}, and nothing that was broken explains it` }];
    }),
  );
}
