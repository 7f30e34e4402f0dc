// The search: what a person chose comes first, then what an earlier search left over, then what indexers have. The best whose torrent
// is what it says is taken.

import type { Fault } from "../../../engine/index.ts";
import { done, type Outcome, type Visit, wait } from "../../../engine/index.ts";
import {
  type Blocked,
  type Choice,
  type Found,
  givenBack,
  isSame,
  LISTED_MOST,
  type Listing,
  NEXT_BYTES,
  type Offered,
  REFUSED_MOST,
  type Refused,
  type RefusedRelease,
  withinBytes,
} from "../found.ts";
import type { MediaPorts } from "../ports.ts";
import { lookUp, type Title } from "../title.ts";
import type { WantedItem } from "../wanted.ts";
import { askIndexers, questionsFor, ranked } from "./indexers.ts";
import { fetchTorrent, type Got } from "./take.ts";

type SearchVisit = Visit<WantedItem, unknown>;

const DAY_MS = 86_400_000;

export async function search(visit: SearchVisit, ports: MediaPorts): Promise<Outcome<Found>> {
  const { store, services } = ports;
  const { id, request } = visit.item;
  await store.noteRequest(request, visit.input);
  const title = await lookUp(visit, { lookUps: store.lookUps, metadata: services.metadata });
  const back = givenBack.safeParse(visit.because.note).data;
  const before = await store.listing(id);
  const known = withBlocked(before ?? NOTHING, back?.blocked ?? []);
  const searching: Searching = { visit, ports, title, blocked: back?.blocked ?? [], told: back?.refused ?? [] };
  const choice = await store.choice(id, visit.key);
  const chosen = choice === undefined ? undefined : await takeChosen(searching, choice, known);
  if (chosen?.type === "done") return chosen;
  if (choice === undefined) {
    const early = untilAired(title, await store.now());
    if (early !== null) return wait("not_aired", { again: early });
    // A stage that gave a release back sends the rest of the list along.
    const left =
      back === undefined ? undefined : await takeFirst(searching, { ...known, taken: null, next: back.next });
    if (left !== undefined && "taken" in left) return await hand(searching, left);
  }
  return await askAndTake(searching, choice !== undefined && choice.offered === null);
}

interface Searching {
  readonly visit: SearchVisit;
  readonly ports: MediaPorts;
  readonly title: Title;
  readonly blocked: readonly Blocked[];
  /** What was refused before, as later stages send it along. */
  readonly told: readonly Refused[];
}

const NOTHING: Listing = { taken: null, next: [], refused: [] };

/** What was taken and given back stands among the refused, with the reason. */
function withBlocked({ taken, next, refused }: Listing, blocked: readonly Blocked[]): Listing {
  const why = blocked.find(({ guid, infohash }) => guid === taken?.guid || (infohash ?? "") === taken?.infohash);
  if (taken === null || why === undefined) return { taken, next, refused };
  const given = { ...taken, code: "BLOCKED", reason: why.reason };
  return { taken: null, next, refused: [given, ...refused.filter((one) => !isSame(one, taken))] };
}

/** Undefined where it cannot be had: then it goes on as if nobody had chosen. */
async function takeChosen(searching: Searching, { offered, next }: Choice, known: Listing) {
  if (offered === null) return undefined;
  const { visit, ports } = searching;
  const refused = known.refused.filter((one) => !isSame(one, offered));
  const got = await takeFirst(searching, { taken: null, next: [offered], refused });
  if ("taken" in got) {
    await ports.store.useChoice(visit.item.id, visit.key);
    return await hand(searching, { ...got, listing: { ...got.listing, next } });
  }
  // Whoever has it will be asked again, and the choice stands.
  if (got.away !== undefined) throw got.away;
  await ports.store.dropChoice(visit.item.id);
  await ports.store.keepListing(visit.item.id, got.listing, false);
  return undefined;
}

interface Taken {
  readonly taken: Offered & { readonly infohash: string };
  readonly listing: Listing;
}

interface NotTaken {
  readonly listing: Listing;
  /** Of an indexer that did not hand out what it has. */
  readonly away: Fault | undefined;
}

/** The first of those that come next whose torrent can be had and is what it says. */
async function takeFirst(searching: Searching, { next, refused }: Listing): Promise<Taken | NotTaken> {
  const { visit, ports, title } = searching;
  const now: RefusedRelease[] = [];
  let away: Fault | undefined;
  for (const [index, offer] of next.entries()) {
    const got: Got = await fetchTorrent(visit, ports, offer, title.sought);
    const known = [...now, ...refused.filter((one) => !now.some((other) => isSame(one, other)))];
    if ("infohash" in got) {
      const taken = { ...offer, infohash: got.infohash };
      return { taken, listing: { taken, next: next.slice(index + 1), refused: known } };
    }
    now.push({ ...offer, code: got.fault.code, reason: got.fault.message });
    if (got.fault.kind === "unavailable") away ??= got.fault;
  }
  return { listing: { taken: null, next: [], refused: [...now, ...refused] }, away };
}

async function hand(searching: Searching, { taken, listing }: Taken, isSearched = false): Promise<Outcome<Found>> {
  const { visit, ports, title, blocked, told } = searching;
  await ports.store.keepListing(
    visit.item.id,
    { ...listing, refused: listing.refused.slice(0, LISTED_MOST) },
    isSearched,
  );
  const { sought } = title;
  return done({
    sought: { ...sought, titles: [...sought.titles], episodes: [...sought.episodes] },
    taken,
    next: withinBytes(listing.next, NEXT_BYTES),
    refused: inShort(listing.refused, told),
    blocked: [...blocked],
  });
}

/** As much as is told to later stages, and where nothing fits. */
function inShort(refused: readonly RefusedRelease[], told: readonly Refused[]): Refused[] {
  const now = refused.map(({ title, indexer, code, reason }) => ({
    title: title.slice(0, 200),
    indexer,
    code,
    reason,
  }));
  const isTold = ({ title, indexer }: Refused) => now.some((one) => one.title === title && one.indexer === indexer);
  return [...now, ...told.filter((one) => !isTold(one))].slice(0, REFUSED_MOST);
}

async function askAndTake(searching: Searching, isAnew: boolean): Promise<Outcome<Found>> {
  const { visit, ports, title, blocked, told } = searching;
  const avoided = blocked.map(({ infohash, guid, reason }) => ({
    ...(infohash === null ? {} : { infohash }),
    ...(guid === null ? {} : { guid }),
    because: reason,
  }));
  let heard: Parameters<typeof ranked>[0] = [];
  let silent: readonly string[] = [];
  let away: Fault | undefined;
  let refused: readonly RefusedRelease[] = [];
  for (const question of questionsFor(title.wanted)) {
    const answered = await askIndexers(visit, ports, { question, isAnew, except: silent });
    heard = [...heard, ...answered.heard];
    silent = [...silent, ...answered.silent];
    away ??= answered.away;
    const order = ranked(heard, title.wanted, visit.input, avoided);
    // What could not be had a moment ago is not tried again.
    const next = order.offers.filter((offer) => !refused.some((one) => isSame(one, offer)));
    const failed = refused.filter((one) => order.offers.some((offer) => isSame(one, offer)));
    const got = await takeFirst(searching, { taken: null, next, refused: [...failed, ...order.refused] });
    if ("taken" in got) {
      await settleAnew(searching, isAnew);
      return await hand(searching, got, true);
    }
    away ??= got.away;
    refused = got.listing.refused;
  }
  await settleAnew(searching, isAnew);
  await ports.store.keepListing(visit.item.id, { ...NOTHING, refused: refused.slice(0, LISTED_MOST) }, true);
  // Nobody has to search again to read why nothing fits.
  await visit.checkpoint.save({ refused: inShort(refused, told) });
  if (away !== undefined) throw away;
  return wait("not_available", { again: ports.limits.searchAgain });
}

/** It was searched for anew, as somebody wanted; the next time is as usual again. */
async function settleAnew({ visit, ports }: Searching, isAnew: boolean): Promise<void> {
  if (isAnew) await ports.store.dropChoice(visit.item.id);
}

/** Milliseconds until the day it is first shown is there; null when it is over, or unknown. */
function untilAired({ airs, wanted }: Title, now: Date): number | null {
  // Films are found long before and after the day of their release.
  if (airs === null || wanted.kind === "film") return null;
  const ms = Date.parse(`${airs}T00:00:00Z`) - now.getTime();
  return ms > 0 ? Math.min(ms, 30 * DAY_MS) : null;
}
