// The encode: a job on the board for each encoding that a target asks for. Who does it asks for it there.

import { type EncodingProfile, skipReason } from "../../../connectors/index.ts";
import { back, done, type Gate, type Outcome, transient, unavailable, type Visit } from "../../../engine/index.ts";
import { targetsOf } from "../delivery/targets.ts";
import type { Encoded } from "../encoded.ts";
import type { EncodeBoard } from "../encoding/board.ts";
import type { MediaPorts } from "../ports.ts";
import { ORIGINAL } from "../settings/encodings.ts";
import type { WantedItem } from "../wanted.ts";
import type { Downloaded } from "./own-file.ts";

/** An encoding, or what is delivered as it was found; and whose it is, as a part has an id of its own. */
export interface EncodePart {
  readonly name: string;
  readonly item: Visit["item"]["id"];
}

interface Before {
  readonly download: Downloaded;
}
type EncodeVisit = Visit<WantedItem, Before, EncodePart>;

/** What whoever asked first names, and what those do who joined. */
export async function encodingsOf(
  { input, item }: Pick<Visit<WantedItem>, "input" | "item">,
  { deliveries }: MediaPorts,
): Promise<EncodingProfile[]> {
  const names = new Set(input.encodings.map(({ name }) => name));
  const joined = await deliveries.encodings(item.request);
  return [...input.encodings, ...joined.filter(({ name }) => !names.has(name))];
}

/** None where all is delivered as it was found. Where only some is, that is a part too: what others want may fail without it. */
export async function encodeParts(visit: Visit<WantedItem, Before>, ports: MediaPorts): Promise<readonly EncodePart[]> {
  const { item } = visit;
  const asked = (await encodingsOf(visit, ports)).map(({ name }) => name);
  if (asked.length === 0) return [];
  const isAlso = (await targetsOf(visit, ports)).some(({ encoding }) => encoding === null);
  return [...asked, ...(isAlso ? [ORIGINAL] : [])].map((name) => ({ name, item: item.id }));
}

export async function startEncode(visit: EncodeVisit, board: EncodeBoard, ports: MediaPorts): Promise<string> {
  const { key, part, out, signal } = visit;
  const { path: source, bytes: sourceBytes } = out.download;
  const asked = await encodingsOf(visit, ports);
  const profile = asked.find(({ name }) => name === part.name);
  if (profile === undefined) {
    // What is not encoded needs a profile to stand on the board, and none to be made.
    const [first] = asked;
    if (first === undefined) throw transient("NO_ENCODING", "nothing of it is to be encoded");
    const kept = { ...first, name: part.name };
    return await board.put({ key, item: part.item, profile: kept, source, sourceBytes, outcome: AS_FOUND });
  }
  const reason = skipReason(profile, await ports.probe.facts(source, signal));
  const outcome: Encoded | null = reason === null ? null : { kind: "same", reason };
  if (outcome === null && (await board.able(profile)).length === 0) throw noWorker([profile.codec]);
  return await board.put({ key, item: part.item, profile, source, sourceBytes, outcome });
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
  const { fileBytes, probe, board } = ports;
  const sourceExists: EncodeGate = async (visit) => {
    if ((await encodingsOf(visit, ports)).length === 0) return undefined;
    const { path, bytes } = visit.out.download;
    const here = await fileBytes(path);
    if (here === bytes) return undefined;
    return back("download", here === null ? `${path} is gone` : `${path} has ${here} bytes of ${bytes}`);
  };
  const encoderOnline: EncodeGate = async (visit) => {
    const asked = await encodingsOf(visit, ports);
    if (asked.length === 0) return;
    const facts = await probe.facts(visit.out.download.path, visit.signal);
    const needed = asked.filter((profile) => skipReason(profile, facts) === null);
    for (const profile of needed) if ((await board.able(profile)).length > 0) return;
    if (needed.length > 0 && needed.length === asked.length) throw noWorker(needed.map(({ codec }) => codec));
  };
  return [sourceExists, encoderOnline];
}

/** What was made is there, and whole. */
export function encodeExit({ fileBytes, probe }: MediaPorts): readonly EncodeGate[] {
  const madeOf = (out: Readonly<Record<string, unknown>>) => {
    const { outputs } = out.encode as { readonly outputs: Readonly<Record<string, Encoded | undefined>> }; // this stage's own
    return Object.values(outputs).flatMap((one) => (one?.kind === "made" ? [one] : []));
  };
  const outputExists: EncodeGate = async ({ out }) => {
    for (const { path, bytes } of madeOf(out)) {
      const here = await fileBytes(path);
      if (here === null) throw transient("FILE_NOT_FOUND", `${path} was encoded, and is not there: is it mounted?`);
      if (here !== bytes)
        throw transient("FILE_INCOMPLETE", `${path} has ${here} bytes, and was encoded with ${bytes}`);
    }
  };
  const outputWhole: EncodeGate = async ({ out, signal }) => {
    for (const { path, durationMs } of madeOf(out)) {
      const { lastPacketMs } = await probe.facts(path, signal);
      if (lastPacketMs === null || durationMs - lastPacketMs > Math.max(2_000, durationMs / 50))
        throw transient("BAD_OUTPUT", `${path} ends before its end`);
    }
  };
  return [outputExists, outputWhole];
}
