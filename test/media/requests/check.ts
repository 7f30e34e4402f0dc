// What is wrong with a run: from what is known when it is over. Pure.

import type { Broken, Evidence, Happened, ItemFacts } from "./evidence.ts";

export interface Finding {
  readonly kind: "not downloaded" | "untrue reason" | "stuck" | "wrong content" | "orphan" | "attempt" | "rules";
  readonly what: string;
}

export function check(evidence: Evidence): readonly Finding[] {
  return [
    ...reasons(evidence),
    ...evidence.stuck.map((what): Finding => ({ kind: "stuck", what })),
    ...evidence.doctor.map((what): Finding => ({ kind: "rules", what })),
    ...contents(evidence),
    ...orphans(evidence),
    ...attempts(evidence),
  ];
}

export const isDownloaded = ({ state, judged }: ItemFacts): boolean => state === "done" && judged?.wrong === null;

/** What is not there waits because nobody has it, and says so; everything else should be there, for all is mended. */
function reasons({ items, unknown }: Evidence): Finding[] {
  return items.flatMap((item): Finding[] => {
    const { id, asked, state, reason, sentence, pipeline } = item;
    if (state === "done") return [];
    const what = `${id} ${asked ?? pipeline} is ${state} (${reason}): ${sentence}`;
    const isUnknown = asked !== null && unknown.has(asked);
    if (isUnknown && state === "waiting" && reason === "not_available") return [];
    return [{ kind: isUnknown || state !== "failed" ? "untrue reason" : "not downloaded", what }];
  });
}

function contents({ items }: Evidence): Finding[] {
  return items.flatMap(({ id, judged }): Finding[] =>
    judged?.wrong == null ? [] : [{ kind: "wrong content", what: `${id}: ${judged.wrong}` }],
  );
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
  ...["SWITCHED_OFF", "WRONG_ADDRESS"],
]);
/** Those that count, and what has to have been broken at that moment. */
const COUNTED: Readonly<Record<string, (one: Broken) => boolean>> = {
  // Half an answer, or none to what was sent: a process ended in the middle of it.
  RESET: ({ fault }) => fault === "stop" || fault === "kill",
  TRUNCATED: ({ fault }) => fault === "stop" || fault === "kill",
  TIMEOUT: ({ fault }) => fault === "stop" || fault === "kill",
  BAD_ANSWER: ({ fault }) => fault === "nonsense",
  VANISHED: ({ thing, fault }) => thing === "client" && fault === "delete",
  TORRENT_GONE: ({ thing, fault }) => thing === "client" && fault === "delete",
};
/** Between what was done and when it is written down. */
const LATE_MS = 15_000;

export const isSpent = ({ outcome, attempt }: Happened): boolean => outcome === "fault" && attempt !== null;

function attempts({ items, broken }: Evidence): Finding[] {
  return items.flatMap(({ id, history }) =>
    history.filter(isSpent).flatMap((entry): Finding[] => {
      const { code, ended, from, message } = entry;
      const what = `${id} spent an attempt in ${from} on ${code}: ${message}`;
      if (OUTAGES.has(code ?? "")) return [{ kind: "attempt", what }];
      const isMeant = COUNTED[code ?? ""];
      const isDue = (one: Broken) => one.from <= ended && ended.getTime() - one.to.getTime() <= LATE_MS;
      const isExplained = isMeant !== undefined && broken.some((one) => isDue(one) && isMeant(one));
      return isExplained ? [] : [{ kind: "attempt", what: `${what}, and nothing that was broken explains it` }];
    }),
  );
}
