// What is promised, and what shows that it is kept. The page has a row for each of these.

import type { Facts, NamedTest } from "./facts.ts";

export interface Promised {
  readonly name: string;
  readonly says: string;
  readonly isKept: (facts: Facts) => boolean;
  readonly measured: (facts: Facts) => string;
  readonly tests: readonly NamedTest[];
}

export interface Chapter {
  readonly title: string;
  readonly promises: readonly Promised[];
}

const FULFILLED_LEAST = 0.99;
const RECOVERED_LEAST = 0.95;
/** Of what the services outside take by themselves. */
const WALL_MOST = 2;
const SENT_AGAIN_MOST = 1_000_000;

const inFile = (file: string, ...titles: readonly string[]): readonly NamedTest[] =>
  titles.map((title) => ({ file, title }));
const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;
const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
const number = (value: number): string => value.toLocaleString("en-US");

const byItself: readonly Promised[] = [
  {
    name: "Nothing is stuck",
    says: "No item stands still for hours and nobody knows. What moves no more is noticed by that alone, however alive it says it is; what waits can say for what.",
    isKept: ({ requests: { stuck, stalls } }) => stuck === 0 && stalls > 0,
    measured: ({ requests: { stuck, stalls, films, longestMs, quietMs } }) =>
      `${stuck} of ${films} stuck or with an untrue reason; ${stalls} stalls noticed and reacted to; the longest took ${inSeconds(longestMs)}, the last was there ${inSeconds(quietMs)} after everything was mended`,
    tests: [
      ...inFile("test/media/stalls.test.ts", "the next release runs within one round after the limit"),
      ...inFile(
        "test/media/encoding-stage.test.ts",
        "that stands still for ten minutes costs an attempt, and another does it",
      ),
    ],
  },
  {
    name: "Nobody repairs",
    says: "No worker exists to mend what others have left. Whoever claims next takes over what a dead one held, and nobody has to lend a hand.",
    isKept: ({ requests: { kills, hands, rules, orphans } }) =>
      kills.worker > 0 && hands === 0 && rules === 0 && orphans === 0,
    measured: ({ requests: { kills, hands, rules, orphans } }) =>
      `the worker was killed ${kills.worker} times; ${hands} hands lent, ${rules} rules of the engine found broken, ${orphans} torrents, files or processes that belong to nobody`,
    tests: [
      ...inFile(
        "src/engine/items/claim-order.test.ts",
        "what a dead worker held goes before a backlog, of better priority and in other lanes too, and only where asked",
      ),
    ],
  },
  {
    name: "No loop waits",
    says: "No stage and no connector sits in a loop until something is over. Waiting is a time in the database, and one look serves everything at a service.",
    isKept: ({ loops: { inWork, files } }) => inWork === 0 && files > 0,
    measured: ({ loops: { inWork, files, elsewhere } }) =>
      `${inWork} such loops in the ${files} files of applications and connectors; ${elsewhere} elsewhere, in workers and in exceptions with their reasons`,
    tests: [
      ...inFile(
        "test/media/many-downloads.test.ts",
        "three hundred downloads that stand still are one call a round, and no row of an item",
      ),
    ],
  },
  {
    name: "A crash costs nothing",
    says: "Any process may be killed at any moment. What it did is in the database or can be found outside, and is gone on with.",
    isKept: ({ requests, requests: { kills }, chaos }) =>
      kills.worker > 0 &&
      kills.client > 0 &&
      kills.encoders > 0 &&
      isAllThere(requests) &&
      chaos.kills > 0 &&
      chaos.findings.length === 0,
    measured: ({ requests: { kills, fulfilled, requests, unknown }, chaos }) =>
      `${kills.worker} kills of the worker, ${kills.client} of the download client, ${kills.encoders} of encoders: ${fulfilled} of ${requests - unknown} requests fulfilled; in another run ${chaos.kills} kills and ${chaos.databaseCrashes} crashes of the database under ${number(chaos.items)} items: ${chaos.findings.length} findings`,
    tests: [
      ...inFile(
        "test/media/downloaded-killed.test.ts",
        "after it wrote down that it will add a torrent",
        "after it added the torrent",
        "after it wrote down that the torrent is there",
      ),
      ...inFile(
        "test/media/delivering-real.test.ts",
        "the database may crash and come back",
        "the worker may be killed: another goes on from what is there",
      ),
    ],
  },
  {
    name: "An outage is waited for",
    says: "A service that is away fails nothing: what needs it waits and keeps its attempts, everything else goes on, and all goes on when it is back.",
    isKept: ({ requests: { outages, attemptsInVain, meanwhile } }) =>
      outages > 0 && attemptsInVain === 0 && meanwhile > 0,
    measured: ({ requests: { outages, outagesMs, attempts, attemptsInVain, meanwhile } }) =>
      `${outages} outages, ${inSeconds(outagesMs)} together: ${attemptsInVain} attempts spent on them (of ${attempts}, each explained by what was broken at that moment), ${number(meanwhile)} stages passed meanwhile`,
    tests: [
      ...inFile(
        "test/media/media.test.ts",
        "is taken from whoever answers while another indexer is down",
        "waits for an indexer that is down when the others have nothing, and costs no attempt",
      ),
      ...inFile(
        "test/media/delivering.test.ts",
        "that is down is waited for without an attempt, the others have it meanwhile, and nothing is sent to them twice",
      ),
    ],
  },
  {
    name: "What is half done is gone on with",
    says: "A retry does what is missing. Targets that have a film do not get it again, and what was cut goes on where it was cut.",
    isKept: ({ upload: { sentAgain, isSame } }) => isSame && sentAgain <= SENT_AGAIN_MOST,
    measured: ({ upload: { megabytes, sentAgain, isSame } }) =>
      `${number(megabytes)} MB to OpenSSH, cut at 60 %: ${number(sentAgain)} bytes sent again (at most ${number(SENT_AGAIN_MOST)}), ${isSame ? "the same" : "NOT the same"} there by its checksum`,
    tests: [
      ...inFile(
        "test/media/delivering-real.test.ts",
        "4 of 5 that cannot be reached has it when it is back, and nothing is sent to the others again",
        "whose line is cut at 60 % goes on from there",
      ),
      ...inFile(
        "test/behaviour/retry-parts.test.ts",
        "does the failed ones again and nothing else, and mends the request",
      ),
    ],
  },
];

const inFigures: readonly Promised[] = [
  {
    name: "Reliability",
    says: "99 of 100 requests are fulfilled while things break and come back.",
    isKept: ({ requests }) => isAllThere(requests),
    measured: ({ requests: { requests, fulfilled, unknown, films, completed } }) =>
      `${fulfilled} of ${requests - unknown} (${percent(fulfilled, requests - unknown)}), ${unknown} besides that nobody has; ${completed} of ${films} films and episodes, compared at every server`,
    tests: [],
  },
  {
    name: "Recovery",
    says: "95 of 100 faults that pass are got over without a hand.",
    isKept: ({ requests: { recovered, troubles, hands } }) =>
      troubles > 0 && recovered >= troubles * RECOVERED_LEAST && hands === 0,
    measured: ({ requests: { recovered, troubles, hands } }) =>
      `${recovered} of ${troubles} (${percent(recovered, troubles)}), ${hands} hands lent`,
    tests: [],
  },
  {
    name: "Observability",
    says: "Every transition is recorded, told on the live feed and logged, each once.",
    isKept: ({ requests: { transitions } }) =>
      transitions.recorded > 0 &&
      transitions.events === transitions.recorded &&
      transitions.lines === transitions.recorded,
    measured: ({ requests: { transitions } }) =>
      `${number(transitions.recorded)} recorded, ${number(transitions.events)} events, ${number(transitions.lines)} lines of the log`,
    tests: [...inFile("test/server/transition-log.test.ts", "has as many lines as there were transitions")],
  },
  {
    name: "Performance",
    says: "Requests take no more than twice what the services outside need for the same work by themselves, outages included.",
    isKept: ({ requests: { wallMs, ownMs } }) => ownMs > 0 && wallMs <= WALL_MOST * ownMs,
    measured: ({ requests: { wallMs, ownMs } }) =>
      `${inSeconds(wallMs)}, ${(wallMs / Math.max(1, ownMs)).toFixed(2)} times the ${inSeconds(ownMs)} of the download client, the encoders and the servers`,
    tests: [],
  },
  {
    name: "Nothing is lost",
    says: "No work is lost or wrong because something crashed or started again.",
    isKept: ({ requests, requests: { wrong, halves }, chaos }) =>
      wrong === 0 && halves === 0 && isAllThere(requests) && chaos.items > 0 && chaos.lost === 0 && chaos.twice === 0,
    measured: ({ requests: { wrong, halves }, chaos }) =>
      `${wrong} wrong files, ${halves} halves ever seen under a name; of ${number(chaos.items)} items under kills ${chaos.lost} lost, ${chaos.twice} done twice`,
    tests: [
      ...inFile(
        "test/media/delivering-real.test.ts",
        "comes to three servers whole, by its checksum, and half of it is never seen under its name",
      ),
    ],
  },
];

function isAllThere({ requests, fulfilled, unknown }: Facts["requests"]): boolean {
  return requests > unknown && fulfilled >= (requests - unknown) * FULFILLED_LEAST;
}

export const CHAPTERS: readonly Chapter[] = [
  { title: "It works by itself", promises: byItself },
  { title: "It can be measured", promises: inFigures },
];

export const PROMISES: readonly Promised[] = CHAPTERS.flatMap(({ promises }) => promises);
