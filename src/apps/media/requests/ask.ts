// Asking for a film, a series, or some of it. What is under way is joined, what is there is said to be there, and what failed or was
// cancelled begins anew. What was seen may have ended a moment later: then it is looked at again.

import type { EncodingProfile } from "../../../connectors/index.ts";
import type { RequestId, Sluice } from "../../../engine/index.ts";
import { InputError, SluiceError } from "../../../engine/index.ts";
import { formatId, orElse, parseId } from "../../../kit/index.ts";
import type { MediaApp } from "../app.ts";
import type { QualityProfile } from "../releases/index.ts";
import { planEpisodes, seasonsAsked } from "../series.ts";
import { encodingsFor } from "../settings/encodings.ts";
import { profileNamed, profiles } from "../settings/profiles.ts";
import { listServers } from "../settings/servers.sql.ts";
import { notedOf, type SeriesAsked, seriesAsked, wanted } from "../wanted.ts";
import {
  type Asked,
  type AskedSeries,
  type AskOutcome,
  askSentence,
  isMeant,
  isSameAsk,
  keyOf,
  wouldSentence,
} from "./asked.ts";
import {
  inTime,
  type KnownPorts,
  knownSeason,
  knownSeries,
  type Named,
  namedTitle,
  unlessAway,
} from "./known-title.ts";
import { findUnserved } from "./late-targets.sql.ts";
import { findAsks, findHeld, findOpen, type HeldItem, noteRequest, type OpenRequest } from "./requests.sql.ts";
import { targetsFor } from "./targets.ts";

export interface AskPorts extends KnownPorts, Pick<MediaApp, "media" | "series"> {
  readonly sluice: Sluice;
}

export interface AskAnswer {
  /** Null of a dry run of something new. */
  readonly request: RequestId | null;
  readonly outcome: AskOutcome;
  readonly sentence: string;
  readonly would: string | null;
}

const TRIES = 5;
const NEWEST = String(2n ** 63n - 1n);

export async function ask(
  ports: AskPorts,
  asked: Asked,
  by: { readonly owner: string; readonly dryRun: boolean },
): Promise<AskAnswer> {
  const profile = await profileFor(ports.sluice, asked.profile);
  const named = await namedTitle(ports, asked.kind, asked.tmdb);
  const targets = targetsFor(asked.targets, await listServers(ports.sluice.tables));
  const encodings = await encodingsFor(ports.sluice.tables, targets);
  const told = { profile, targets, encodings };
  const asking: Asking = { ...by, ports, asked, named, input: inputOf(asked, told, named) };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await askOnce(asking);
    if (answer !== "moved") return answer;
  }
  throw new SluiceError("CONFLICT", "it changes all the time; ask again in a moment");
}

interface Asking {
  readonly ports: AskPorts;
  readonly asked: Asked;
  readonly named: Named;
  readonly owner: string;
  readonly dryRun: boolean;
  readonly input: Input;
}

type Input = { readonly film: ReturnType<typeof wanted.parse> } | { readonly series: SeriesAsked };

/** What it names, whole. */
interface Told {
  readonly profile: QualityProfile;
  readonly targets: SeriesAsked["targets"];
  readonly encodings: readonly EncodingProfile[];
}

function inputOf(asked: Asked, told: Told, { title, year }: Named): Input {
  const { tmdb, policy } = asked;
  const common = { ...told, tmdb, policy };
  if (asked.kind === "film") return { film: wanted.parse({ kind: "film", ...common, title, year }) };
  const { seasons, episodes } = asked;
  return { series: seriesAsked.parse({ ...common, seasons, episodes }) };
}

async function profileFor({ tables }: Sluice, name: string | undefined): Promise<QualityProfile> {
  const found = await profileNamed(tables, name);
  if (found !== undefined) return found;
  const known = (await profiles(tables)).map((one) => one.name);
  throw new InputError("profile", `there is no quality profile ${JSON.stringify(name)}; ${orElse(name ?? "", known)}`);
}

async function askOnce(asking: Asking): Promise<AskAnswer | "moved"> {
  const { ports, asked, owner } = asking;
  const { tables } = ports.sluice;
  const open = await findOpen(tables, asked.kind, asked.tmdb);
  if (open !== undefined) return await join(asking, open);
  const there = await findHeld(tables, asked.kind, asked.tmdb, null);
  const last = there.at(-1);
  if (last !== undefined && (asked.kind === "film" || (await isAllThere(ports, asking, asked, there)))) {
    const into = formatId("request", last.request_id);
    // Whoever asks for what is there may see it from now on.
    if (!asking.dryRun) await ports.sluice.submit(ports.media, [], { into, owner });
    return answerOf(asking, { outcome: "there", request: into });
  }
  return await begin(asking);
}

interface Came {
  readonly outcome: AskOutcome;
  readonly request: RequestId | null;
  readonly isOwners?: boolean;
  readonly isMore?: boolean;
}

function answerOf({ named, dryRun }: Asking, { outcome, request, isOwners = false, isMore = false }: Came): AskAnswer {
  const facts = { outcome, name: named.name, isOwners, isMore };
  return { request, outcome, sentence: askSentence(facts), would: dryRun ? wouldSentence(facts) : null };
}

async function join(asking: Asking, open: OpenRequest): Promise<AskAnswer | "moved"> {
  const { ports, asked, owner, input, dryRun } = asking;
  const { tables } = ports.sluice;
  const into = formatId("request", open.id);
  const underWay = "series" in input ? await findAsks(tables, open.id, NEWEST) : [];
  const isAsked = !("series" in input) || underWay.some((one) => isSameAsk(one.input as SeriesAsked, input.series)); // its own kind of input
  const inputs = isAsked || !("series" in input) ? [] : [input.series];
  const came = { outcome: "joined" as const, request: into };
  const answer = answerOf(asking, { ...came, isOwners: open.owners.includes(owner), isMore: inputs.length > 0 });
  if (dryRun) return answer;
  const noted = notedOf("film" in input ? input.film : input.series);
  const alongside = async (tx: Parameters<typeof noteRequest>[0]) => noteRequest(tx, open.id, noted);
  try {
    await ports.sluice.submit(ports.series, inputs, { into, owner, ...priorityOf(asked), alongside });
  } catch (error) {
    if (error instanceof SluiceError && error.code === "REQUEST_OVER") return "moved";
    throw error;
  }
  if (asked.kind === "series") await reviveMeant(asking, asked, open.id);
  await serveLate(asking, open.id);
  return answer;
}

/** What is done already, of a request that is not, goes to the servers that were named since; what lies there is not sent again. */
async function serveLate({ ports: { sluice }, owner }: Asking, request: string): Promise<void> {
  for (const { id } of await findUnserved(sluice.tables, request))
    await sluice.replay(formatId("item", id), { from: "deliver", by: owner });
}

/** What failed or was cancelled in it, of what is asked for now, is tried again. */
async function reviveMeant({ ports, owner }: Asking, asked: AskedSeries, request: string): Promise<void> {
  const { sluice } = ports;
  const held = await findHeld(sluice.tables, "series", asked.tmdb, request);
  const over = held.filter((one) => one.request_id === request && one.state > 1 && isMeant(asked, one));
  for (const one of over) {
    const item = formatId("item", one.id);
    // Whoever did so in the same moment has done it for both.
    await (one.state === FAILED ? sluice.retry(item, owner) : sluice.replay(item, { from: "search", by: owner }));
  }
}

const FAILED = 2;

const priorityOf = ({ priority }: Asked) => (priority === undefined ? {} : { priority });

async function begin(asking: Asking): Promise<AskAnswer | "moved"> {
  const { ports, asked, owner, input, dryRun } = asking;
  const { sluice } = ports;
  const options = { key: keyOf(asked), owner, ...priorityOf(asked) };
  if (dryRun) {
    if ("film" in input) await sluice.wouldSubmit(ports.media, [input.film], options);
    else await sluice.wouldSubmit(ports.series, [input.series], options);
    return answerOf(asking, { outcome: "new", request: null });
  }
  const noted = notedOf("film" in input ? input.film : input.series);
  const alongside = async (tx: Parameters<typeof noteRequest>[0], { request }: { readonly request: RequestId }) =>
    noteRequest(tx, parseId("request", request), noted);
  const given = { ...options, alongside };
  const { request, joined } =
    "film" in input
      ? await sluice.submit(ports.media, [input.film], given)
      : await sluice.submit(ports.series, [input.series], given);
  if (!joined) return answerOf(asking, { outcome: "new", request });
  // Somebody was faster. A series' seasons still have to be added to theirs.
  return asked.kind === "film" ? answerOf(asking, { outcome: "joined", request }) : "moved";
}

/** By what the metadata service knows now; where it does not answer nobody can say so, and the request itself finds out. */
async function isAllThere(
  ports: KnownPorts,
  { input }: Asking,
  { tmdb }: AskedSeries,
  there: readonly HeldItem[],
): Promise<boolean> {
  if (!("series" in input)) return false;
  const call = inTime();
  const plan = await unlessAway(async () => {
    const series = await knownSeries(ports, tmdb);
    const known = new Set(series.seasons.map(({ season }) => season));
    const asked = seasonsAsked(input.series, series).filter((season) => known.has(season));
    const seasons = [];
    for (const season of asked) seasons.push(await knownSeason(ports, tmdb, season, call));
    return planEpisodes(input.series, series, seasons);
  });
  if (plan === undefined || plan.episodes.length === 0 || plan.unknown.length > 0) return false;
  const held = new Set(there.map(({ season, episode }) => `${season}x${episode}`));
  return plan.episodes.every(({ season, episode }) => held.has(`${season}x${episode}`));
}
