// The encode: a job on the board for each encoding that a target asks for. Who does it asks for it there.

import { type EncodingProfile, skipReason } from "../../../connectors/index.ts";
import { back, done, type Gate, type Outcome, transient, unavailable, type Visit } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";
import type { EncodeBoard } from "../encoding/board.ts";
import type { MediaPorts } from "../ports.ts";
import { ORIGINAL } from "../settings/encodings.ts";
import type { WantedItem } from "../wanted.ts";
import { brokenIn, lostOf } from "./made-film.ts";
import type { Downloaded } from "./own-file.ts";

/** An encoding, or what is delivered as it was found; and whose it is, as a part has an id and a request of its own. */
export interface EncodePart {
  readonly name: string;
  readonly item: Visit["item"]["id"];
  /** Under the part's name. What is delivered as it was found needs one to stand on the board, and none to be made. */
  readonly profile: EncodingProfile;
}

interface Before {
  readonly download: Downloaded;
}
type EncodeVisit = Visit<WantedItem, Before, EncodePart>;

/** None where all is delivered as it was found. Where only some is, that is a part too: what others want may fail without it. */
export async function encodeParts(visit: Visit<WantedItem, Before>, ports: MediaPorts): Promise<readonly EncodePart[]> {
  const { encodings, targets } = await ports.wishes(visit);
  const [first] = encodings;
  if (first === undefined) return [];
  const isAlso = targets.some(({ encoding }) => encoding === null);
  const profiles = [...encodings, ...(isAlso ? [{ ...first, name: ORIGINAL }] : [])];
  return profiles.map((profile) => ({ name: profile.name, item: visit.item.id, profile }));
}

export async function startEncode(visit: EncodeVisit, board: EncodeBoard, ports: MediaPorts): Promise<string> {
  const { key, part, out } = visit;
  const { item, profile } = part;
  const { path: source, bytes: sourceBytes } = out.download;
  const outcome = await knownOutcome(visit, ports);
  if (outcome === null && (await board.able(profile)).length === 0) throw noWorker([profile.codec]);
  return await board.put({ key, item, profile, source, sourceBytes, outcome });
}

/** Where nothing has to be made: as it was found, in that format already, or made before and still as it was. */
async function knownOutcome({ part, out, signal }: EncodeVisit, ports: MediaPorts): Promise<Encoded | null> {
  const { item, profile } = part;
  const { path: source, bytes: sourceBytes } = out.download;
  if (part.name === ORIGINAL) return AS_FOUND;
  const reason = skipReason(profile, await ports.probe.facts(source, signal));
  if (reason !== null) return { kind: "same", reason };
  for (const made of await ports.store.madeBefore(item, { profile, source, sourceBytes })) {
    if (made.kind !== "made") return made;
    const wrong = (await lostOf(made, ports)) ?? (await brokenIn(made, ports, signal));
    if (wrong === null) return made;
  }
  return null;
}

const AS_FOUND: Encoded = { kind: "same", reason: "it is delivered as it was found" };

/** Nobody's failure: it waits until one comes. */
function noWorker(codecs: readonly string[]) {
  const what = [...new Set(codecs)].join(" or ");
  return unavailable("NO_WORKER", `no encoder is online that can make ${what}`, {
    ...{ retryAfter: "15s", breaker: "none" },
  });
}

/** Whoever let it stand still gets it again only where no other could do it. That it did costs an attempt. */
export async function stoodStill(visit: EncodeVisit, board: EncodeBoard): Promise<Outcome<never>> {
  const { ref = "", message = "it stood still" } = visit.because.ended ?? {};
  const encoder = await board.stoodStill(ref);
  throw transient("STALLED", encoder === undefined ? message : `${encoder} stood still: ${message}`);
}

export function finishEncode(output: unknown): Outcome<Encoded> {
  return done(output as Encoded); // as the board has it
}

type EncodeGate = Gate<WantedItem, Before & Record<string, unknown>>;

/** A source that is gone is downloaded again. */
export function encodeEntry(ports: MediaPorts): readonly EncodeGate[] {
  const { probe, board } = ports;
  const sourceExists: EncodeGate = async (visit) => {
    const { encodings } = await ports.wishes(visit);
    const lost = encodings.length === 0 ? null : await lostOf(visit.out.download, ports);
    return lost === null ? undefined : back("download", `${lost}: it is downloaded again`);
  };
  const encoderOnline: EncodeGate = async (visit) => {
    const { encodings: asked } = await ports.wishes(visit);
    if (asked.length === 0) return;
    const facts = await probe.facts(visit.out.download.path, visit.signal);
    const needed = asked.filter((profile) => skipReason(profile, facts) === null);
    for (const profile of needed) if ((await board.able(profile)).length > 0) return;
    if (needed.length > 0 && needed.length === asked.length) throw noWorker(needed.map(({ codec }) => codec));
  };
  return [sourceExists, encoderOnline];
}
