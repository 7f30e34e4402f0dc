// Media requests as people look at them: a page of cards, and one with all that is known of it.

import {
  type Estimate,
  type Explanation,
  type ItemId,
  type ItemState,
  itemState,
  parseId,
  type RequestId,
  type Sluice,
  SluiceError,
  statusWord,
} from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import type { TitleKind } from "../titles/look-ups.sql.ts";
import { type CardItemRow, findItems, findLast, findStandings, findTold, type StandingRow } from "./card-items.sql.ts";
import { cardSentence } from "./card-words.ts";
import { type CardRow, findCard, findCards } from "./cards.sql.ts";
import { findTargets } from "./requests.sql.ts";
import { progressIn, type RequestStanding, standingOf } from "./standing.ts";
import { findTargetParts } from "./target-states.sql.ts";
import { type TargetState, targetStates } from "./target-states.ts";

export interface ReadyBy {
  readonly low: Date;
  readonly high: Date;
}

export interface CardItem {
  readonly item: ItemId;
  readonly season: number | null;
  readonly episode: number | null;
  readonly name: string | null;
  readonly airs: string | null;
  readonly status: string;
  readonly state: ItemState;
  readonly progress: number;
}

export interface Card extends RequestStanding {
  readonly request: RequestId;
  readonly kind: TitleKind;
  readonly tmdb: number;
  readonly title: string;
  readonly year: number | null;
  /** As the metadata service calls it: "/abc.jpg". */
  readonly poster: string | null;
  readonly readyBy: ReadyBy | null;
  readonly sentence: string;
  readonly owners: readonly string[];
  readonly createdAt: Date;
  readonly items: readonly CardItem[];
}

export interface DetailedItem extends CardItem {
  readonly sentence: string;
  readonly readyBy: ReadyBy | null;
  readonly targets: readonly TargetState[];
}

export interface CardDetail extends Card {
  readonly overview: string | null;
  readonly profile: string;
  readonly policy: string;
  readonly targets: readonly { readonly name: string; readonly encoding: string | null }[];
  /** Of what was asked for, what the metadata service does not know. */
  readonly unknown: readonly string[];
  readonly items: readonly DetailedItem[];
}

/** Who looks: to one who sees only their own, less is told. */
export interface Onlooker {
  readonly owner: string | null;
}

export interface CardsWanted {
  readonly show: "all" | "mine" | "ready" | "waiting" | "problems";
  readonly me: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** In a list; a card shows no more. */
const ITEMS_LISTED = 100;
const ITEMS_ALL = 10_000;
/** Of each request so many of those with the longest way to go are looked at for when it is ready. */
const ESTIMATED = 4;
const NEWEST = String(2n ** 63n - 1n);

export async function listCards(
  sluice: Sluice,
  { show, me, after, limit }: CardsWanted,
  { owner }: Onlooker,
): Promise<{ readonly entries: readonly Card[]; readonly next: string | null }> {
  const before = after === undefined ? NEWEST : parseId("request", after, "after");
  const asked = { show, owner: owner ?? (show === "mine" ? me : null), before, limit };
  const { rows, stoppedAt } = await findCards(sluice.tables, asked);
  const ids = rows.map(({ id }) => id);
  const items = await findItems(sluice.tables, ids, ITEMS_LISTED);
  const cards = await cardsOf(sluice, rows, items, { owner });
  return { entries: cards, next: stoppedAt === null ? null : formatId("request", stoppedAt) };
}

async function cardsOf(
  sluice: Sluice,
  rows: readonly CardRow[],
  items: readonly CardItemRow[],
  onlooker: Onlooker,
): Promise<Card[]> {
  const ids = rows.map(({ id }) => id);
  const standings = Map.groupBy(await findStandings(sluice.tables, ids), (row) => row.request_id);
  const told = new Map(rows.map(({ id }) => [id, toldOf(standings.get(id) ?? [])]));
  const why = await sluice.explainEach([...told.values()].flatMap((one) => (one === null ? [] : [one])));
  const ready = await readyByOf(sluice, ids);
  const byRequest = Map.groupBy(items, (item) => item.request_id);
  return rows.map((row) => {
    const own = standings.get(row.id) ?? [];
    const single = told.get(row.id) ?? null;
    const sentence = single === null ? cardSentence(own, row.now) : sentenceOf(why.get(single), onlooker);
    const listed = byRequest.get(row.id) ?? [];
    return {
      ...headOf(row, listed, onlooker),
      ...standingOf(own, row.partly, (pipeline) => sluice.stagesOf(pipeline)),
      readyBy: ready.get(row.id) ?? null,
      sentence,
      items: listed.map((item) => toItem(item, sluice)),
    };
  });
}

function headOf(row: CardRow, [first]: readonly CardItemRow[], { owner }: Onlooker) {
  const { id, kind, tmdb, title, year, poster, owners, created_at } = row;
  // Until it has been looked up it is called as whoever handed it in called it.
  const called = title ?? (kind === "film" ? first?.title : null) ?? `${kind === "film" ? "Film" : "Series"} ${tmdb}`;
  return {
    ...{ request: formatId("request", id), kind, tmdb, title: called, year, poster, createdAt: created_at },
    // Who else asked for the same is nobody's business.
    owners: owner === null ? owners : [owner],
  };
}

const [LIVE, FAILED] = [0, 2];
const ENDINGS = ["live", "done"] as const;

/** The one item that says how it all stands: a film, or what found no episodes. Null where there are several. */
function toldOf(rows: readonly StandingRow[]): ItemId | null {
  const items = rows.filter(({ pipeline }) => pipeline === "media");
  const [only] = items;
  if (only !== undefined) return items.length === 1 && only.items === 1 ? formatId("item", only.newest) : null;
  const failed = rows.find(({ end_state }) => end_state === FAILED);
  const live = rows.find(({ end_state }) => end_state === LIVE);
  const asking = live ?? failed;
  return asking === undefined ? null : formatId("item", asking.newest);
}

function sentenceOf(why: Explanation | undefined, { owner }: Onlooker): string {
  return (owner === null ? why?.sentence : why?.discreetSentence) ?? "It has just been removed.";
}

/** When the last of each is likely there; none where that cannot be told of one of them. */
async function readyByOf(sluice: Sluice, requests: readonly string[]): Promise<ReadonlyMap<string, ReadyBy>> {
  const last = await findLast(sluice.tables, requests, ESTIMATED);
  const estimates = await sluice.estimateEach(last.map(({ id }) => formatId("item", id)));
  const all = new Map<string, ReadyBy>();
  for (const [request, items] of Map.groupBy(last, (one) => one.request_id)) {
    const each = items.map(({ id }) => rangeOf(estimates.get(formatId("item", id))));
    const known = each.flatMap((one) => (one === null ? [] : [one]));
    if (known.length < each.length) continue;
    const latest = (times: readonly Date[]) => new Date(Math.max(...times.map((at) => at.getTime())));
    all.set(request, { low: latest(known.map(({ low }) => low)), high: latest(known.map(({ high }) => high)) });
  }
  return all;
}

function rangeOf(estimate: Estimate | undefined): ReadyBy | null {
  return estimate?.isKnown === true ? { low: estimate.likely, high: estimate.late } : null;
}

const ENDS = [null, "done", "failed", "cancelled"] as const;

function toItem(row: CardItemRow, sluice: Sluice): CardItem {
  const { id, version, season, episode, name, airs } = row;
  const { end_state, run_state, stage, reason, is_due, has_begun, parts_move } = row;
  const end = ENDS[end_state] ?? null;
  const words = sluice.stagesOf({ name: "media", version })?.[stage ?? 0]?.words;
  return {
    ...{ item: formatId("item", id), season, episode, name, airs },
    status: statusWord(end, { stage: stage ?? 0, hasBegun: has_begun, isBetween: run_state === 0 }, words),
    // To whoever asked for it, an encode or a delivery of it that is in work is its own.
    state: parts_move
      ? "running"
      : itemState(end, run_state === null ? null : { state: run_state, reason, isDue: is_due }),
    progress: progressIn(row, (pipeline) => sluice.stagesOf(pipeline), row.progress ?? 0),
  };
}

export async function readCard(sluice: Sluice, request: RequestId, onlooker: Onlooker): Promise<CardDetail> {
  const { tables } = sluice;
  const row = await findCard(tables, parseId("request", request, "request"), onlooker.owner);
  if (row === undefined)
    throw new SluiceError("NOT_FOUND", `there is no media request ${request}`, { field: "request" });
  const items = await findItems(tables, [row.id], ITEMS_ALL);
  const [card] = await cardsOf(sluice, [row], items, onlooker);
  if (card === undefined) throw new SluiceError("NOT_FOUND", `there is no media request ${request}`);
  const ids = card.items.map(({ item }) => item);
  const why = await sluice.explainEach(ids);
  const ready = await sluice.estimateEach(
    items.filter((one) => one.end_state === LIVE).map((one) => formatId("item", one.id)),
  );
  const targets = await findTargets(tables, row.id);
  const parts = Map.groupBy(
    await findTargetParts(
      tables,
      items.map(({ id }) => id),
    ),
    (one) => one.item_id,
  );
  return {
    ...card,
    ...{ overview: row.overview, profile: row.profile, policy: row.policy },
    targets,
    unknown: (await findTold(tables, row.id)).flatMap(({ output }) => unknownIn(output)),
    items: card.items.map((one, place) => ({
      ...one,
      sentence: sentenceOf(why.get(one.item), onlooker),
      readyBy: rangeOf(ready.get(one.item)),
      targets: targetStates({
        targets,
        parts: parts.get(items[place]?.id ?? "") ?? [],
        end: ENDINGS[items[place]?.end_state ?? LIVE] ?? "lost",
      }),
    })),
  };
}

function unknownIn(output: unknown): readonly string[] {
  const { unknown = [] } = (output ?? {}) as { readonly unknown?: readonly string[] }; // as the pipeline hands it on
  return unknown;
}
