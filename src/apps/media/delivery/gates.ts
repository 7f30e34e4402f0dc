// What has to be true before a file goes to servers, and when it has come there. What is missing is made good by the stage that makes it: the
// item goes back there, and the rest of it is not done again. How often is bounded by the attempts of the stage that is entered.

import { notWhole, partPath } from "../../../connectors/index.ts";
import { back, Fault, type Gate, type PartsOutput, type Visit } from "../../../engine/index.ts";
import type { EncodedFile } from "../encoded.ts";
import type { MediaPorts } from "../ports.ts";
import { unreadable } from "../stages/gates.ts";
import { brokenIn, lostOf } from "../stages/made-film.ts";
import type { WantedItem } from "../wanted.ts";
import type { Delivered } from "./delivered.ts";
import { encodingsMissing, fileFor, type Made } from "./parcel.ts";

export type DeliverVisit = Visit<WantedItem, Made>;
type DeliverGate = Gate<WantedItem, Made>;

/** They stand here and not at the end of `encode`: from there an item could not go back to it. */
export function deliverGates(ports: MediaPorts): readonly DeliverGate[] {
  const everyEncodingWasTried: DeliverGate = async (visit) => {
    const { targets, encodings } = await ports.wishes(visit);
    const known = new Set(encodings.map(({ name }) => name));
    const late = encodingsMissing(targets, visit.out.encode).filter((name) => known.has(name));
    return late.length === 0 ? undefined : back("encode", { late });
  };
  const outputExists: DeliverGate = async ({ out }) => {
    const lost = await allOf(madeOf(out), (made) => lostOf(made, ports));
    return lost === null ? undefined : back("encode", `${lost}: it is encoded again`);
  };
  const outputWhole: DeliverGate = async ({ out, signal }) => {
    const broken = await allOf(madeOf(out), (made) => brokenIn(made, ports, signal));
    return broken === null ? undefined : back("encode", `${broken}: it is encoded again`);
  };
  return [everyEncodingWasTried, outputExists, outputWhole, ...downloadGates(ports)];
}

/** Where a target gets it as it was found. */
function downloadGates(ports: MediaPorts): readonly DeliverGate[] {
  const isSent = async (visit: DeliverVisit) => {
    const files = (await ports.wishes(visit)).targets.map((target) => fileFor(target, visit.out));
    return files.some((file) => "path" in file && file.path === visit.out.download.path);
  };
  const fileIsThere: DeliverGate = async (visit) => {
    const lost = (await isSent(visit)) ? await lostOf(visit.out.download, ports) : null;
    return lost === null ? undefined : back("download", `${lost}: it is downloaded again`);
  };
  const fileIsWhole: DeliverGate = async (visit) => {
    if (!(await isSent(visit))) return undefined;
    const { path } = visit.out.download;
    const wrong = await ports.probe.facts(path, visit.signal).then(notWhole, unreadable);
    return wrong === null ? undefined : back("download", `${path} is no whole film any more: ${wrong}`);
  };
  return [fileIsThere, fileIsWhole];
}

const madeOf = ({ encode }: Made): EncodedFile[] =>
  Object.values(encode?.outputs ?? {}).flatMap((one) => (one?.kind === "made" ? [one] : []));

/** What is wrong with any of them; null where nothing is. */
async function allOf<T>(all: readonly T[], check: (one: T) => Promise<string | null>): Promise<string | null> {
  const found: string[] = [];
  for (const one of all) found.push((await check(one)) ?? "");
  const wrong = found.filter((sentence) => sentence !== "");
  return wrong.length === 0 ? null : wrong.join("; ");
}

type Sent = Made & { readonly deliver: PartsOutput<Delivered> };

/** Each target proved it at its own end; before it counts for all of them it is asked once more, and who lacks it gets it again. */
export function sentGates(ports: MediaPorts): readonly Gate<WantedItem, Sent>[] {
  const targetsHaveIt: Gate<WantedItem, Sent> = async (visit) =>
    sentAgain(await Promise.all(each(visit.out.deliver, (name, came) => lackOf(visit, ports, name, came))));
  return [targetsHaveIt];
}

/** All or nothing: all have named it. */
export function namedGates(ports: MediaPorts): readonly Gate<WantedItem, Record<string, unknown>>[] {
  const targetsNamedIt: Gate<WantedItem, Record<string, unknown>> = async (visit) => {
    const named = visit.out.publish as PartsOutput<Delivered>; // what the engine sums up
    const lacks = each(named, async (name, came) =>
      came.isPublished ? await lackOf(visit, ports, name, came) : `${name} had nothing to name any more`,
    );
    return sentAgain(await Promise.all(lacks));
  };
  return [targetsNamedIt];
}

const each = <T>({ outputs }: PartsOutput<Delivered>, ask: (name: string, came: Delivered) => T): T[] =>
  Object.entries(outputs).flatMap(([name, came]) => (came === undefined ? [] : [ask(name, came)]));

function sentAgain(lacks: readonly (string | null)[]) {
  const told = lacks.filter((one) => one !== null);
  return told.length === 0 ? undefined : back("deliver", `${told.join("; ")}: it is sent there again`);
}

/** A server that does not answer just now is believed: that it is away after it got its file is no reason to hold the item. */
async function lackOf(
  { call, signal }: Pick<Visit, "call" | "signal">,
  { services }: MediaPorts,
  name: string,
  { path, bytes, isPublished, id }: Delivered,
): Promise<string | null> {
  const place = isPublished ? path : partPath({ to: path, id });
  const there = await call(services.servers(name), ({ destination }) => destination.bytesAt(place, signal)).catch(
    (error: unknown) => (isAway(error) ? bytes : Promise.reject(error)),
  );
  return there === bytes ? null : `${name} has ${there ?? "nothing"} of ${bytes} bytes`;
}

/** Or is not set any more: what was delivered there stays. */
const isAway = (error: unknown): boolean =>
  error instanceof Fault && (error.kind === "unavailable" || error.code === "SERVER_NOT_SET");

/** Somebody joined while it was being delivered: they get it too. */
export function lateGates(ports: MediaPorts): readonly Gate<WantedItem, Sent>[] {
  const everyTargetWasServed: Gate<WantedItem, Sent> = async (visit) => {
    const { delivered, failed, cancelled } = visit.out.deliver;
    const served = new Set([...delivered, ...cancelled, ...failed.map(({ part }) => part)]);
    const late = (await ports.wishes(visit)).targets.filter(({ name }) => !served.has(name));
    return late.length === 0 ? undefined : back("deliver", { late: late.map(({ name }) => name) });
  };
  return [everyTargetWasServed];
}
