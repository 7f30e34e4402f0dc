// All files of one upload: each is taken in or turned away, whatever became of the others.

import { type EnterBy, type Entered, type EnterPorts, enter } from "./enter.ts";
import { NotFetched } from "./fetch.ts";
import { shownName } from "./names.ts";
import { type Sent, type TakeInPorts, type TakenIn, type TurnedAway, takeIn } from "./take-in.ts";

export type Arrived = TakenIn | TurnedAway;

export const isTurnedAway = (one: Arrived): one is TurnedAway => "code" in one;

export async function arrive(ports: TakeInPorts, sent: AsyncIterable<Sent>, isDry: boolean): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  for await (const one of sent) {
    try {
      arrived.push(await takeIn(ports, one, isDry));
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error;
      arrived.push({ name: shownName(one.name), code: "IO_ERROR", why: error.message });
    }
  }
  return arrived;
}

export type Uploaded = { readonly file: TakenIn; readonly entered: Entered } | { readonly refused: TurnedAway };

export async function enterAll(ports: EnterPorts, arrived: readonly Arrived[], by: EnterBy): Promise<Uploaded[]> {
  const uploaded: Uploaded[] = [];
  for (const one of arrived)
    uploaded.push(isTurnedAway(one) ? { refused: one } : { file: one, entered: await enter(ports, one, by) });
  return uploaded;
}
