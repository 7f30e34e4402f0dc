// All files of one upload: each is taken in or turned away, whatever became of the others.

import { type Clock, Gate } from "../../../kit/index.ts";
import { type EnterBy, type Entered, type EnterPorts, enter } from "./enter.ts";
import { type FetchOptions, fetchDocument, LONGEST_MS, NotFetched, nameIn } from "./fetch.ts";
import { shownName } from "./names.ts";
import { type Sent, type TakeInPorts, type TakenIn, type TurnedAway, takeIn } from "./take-in.ts";

export type Arrived = TakenIn | TurnedAway;

export const isTurnedAway = (one: Arrived): one is TurnedAway => "code" in one;

export async function arrive(ports: TakeInPorts, sent: AsyncIterable<Sent>, isDry: boolean): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  for await (const one of sent) arrived.push(await takeIn(ports, one, isDry));
  return arrived;
}

/** Of one upload; each has room kept for it on the disk. */
const FETCHED_AT_ONCE = 4;
/** For all of them: whoever waits for the answer is on a connection that says nothing meanwhile, and is given up after two minutes. */
const TOGETHER_MS = 90_000;

export interface FetchAll {
  readonly clock: Clock;
  readonly fetching: FetchOptions;
  readonly signal: AbortSignal;
  readonly isDry: boolean;
}

/** What cannot be fetched is turned away; whatever else goes wrong with one ends all of them. */
export async function fetchAll(ports: TakeInPorts, urls: readonly string[], how: FetchAll): Promise<Arrived[]> {
  const { clock, fetching, isDry } = how;
  const gate = new Gate(FETCHED_AT_ONCE);
  const over = new AbortController();
  const signal = AbortSignal.any([how.signal, over.signal]);
  const until = clock.monotonic() + TOGETHER_MS;
  const one = async (url: string): Promise<Arrived> => {
    signal.throwIfAborted();
    const left = until - clock.monotonic();
    if (left <= 0) return notFetched(url, "there was no time left for it; upload it by itself");
    const { fileBytes: mostBytes } = ports.limits;
    const totalMs = Math.min(LONGEST_MS, left);
    try {
      return await takeIn(ports, fetchDocument(url, { ...fetching, mostBytes, signal, totalMs }), isDry);
    } catch (error) {
      if (error instanceof NotFetched) return notFetched(url, error.message);
      over.abort(error);
      throw error;
    }
  };
  // All of them have ended by then: nothing goes on being written behind an answer.
  const ended = await Promise.allSettled(urls.map((url) => gate.pass(() => one(url))));
  const [failure] = ended.filter((each) => each.status === "rejected");
  if (failure !== undefined) throw over.signal.aborted ? over.signal.reason : failure.reason;
  return ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

const notFetched = (url: string, why: string): TurnedAway => ({
  ...{ name: shownName(nameIn(url)), code: "IO_ERROR", why },
});

export type Uploaded = { readonly file: TakenIn; readonly entered: Entered } | { readonly refused: TurnedAway };

export async function enterAll(ports: EnterPorts, arrived: readonly Arrived[], by: EnterBy): Promise<Uploaded[]> {
  const uploaded: Uploaded[] = [];
  for (const one of arrived)
    uploaded.push(isTurnedAway(one) ? { refused: one } : { file: one, entered: await enter(ports, one, by) });
  return uploaded;
}
