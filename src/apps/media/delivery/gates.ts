// What has to be true before a file goes to servers, and when it has come there.

import { notWhole, partPath } from "../../../connectors/index.ts";
import { back, Fault, type Gate, type PartsOutput, transient, type Visit } from "../../../engine/index.ts";
import type { MediaPorts } from "../ports.ts";
import { encodingsOf } from "../stages/encode.ts";
import type { WantedItem } from "../wanted.ts";
import type { Delivered } from "./bring.ts";
import { encodingsMissing, type FileToSend, fileFor, type Made, type Target } from "./parcel.ts";
import { targetsOf } from "./targets.ts";

export type DeliverVisit = Visit<WantedItem, Made>;

/** Each file once, however many servers get it. */
function filesOf(targets: readonly Target[], out: Made): FileToSend[] {
  const files = targets.map((target) => fileFor(target, out)).filter((one) => "path" in one);
  return [...new Map(files.map((one) => [one.path, one])).values()];
}

export function deliverGates(ports: MediaPorts): readonly Gate<WantedItem, Made>[] {
  const { fileBytes, probe } = ports;
  const each = async (visit: DeliverVisit, check: (file: FileToSend) => Promise<void>) => {
    for (const file of filesOf(await targetsOf(visit, ports), visit.out)) await check(file);
  };
  const everyEncodingWasTried: Gate<WantedItem, Made> = async (visit) => {
    const missing = encodingsMissing(await targetsOf(visit, ports), visit.out.encode);
    const known = new Set((await encodingsOf(visit, ports)).map(({ name }) => name));
    const late = missing.filter((name) => known.has(name));
    return late.length === 0 ? undefined : back("encode", { late });
  };
  // What was encoded goes a day after it was delivered: whoever has it delivered once more has it encoded once more.
  const encodesAreThere: Gate<WantedItem, Made> = async (visit) => {
    const encodes = filesOf(await targetsOf(visit, ports), visit.out).filter(
      ({ path }) => path !== visit.out.download.path,
    );
    for (const { path } of encodes) if ((await fileBytes(path)) === null) return back("encode", `${path} is gone`);
    return undefined;
  };
  const fileIsThere: Gate<WantedItem, Made> = (visit) =>
    each(visit, async ({ path }) => {
      if ((await fileBytes(path)) === null)
        throw transient("FILE_NOT_FOUND", `there is no file ${path} here any more: is it mounted?`);
    });
  const fileHasItsSize: Gate<WantedItem, Made> = (visit) =>
    each(visit, async ({ path, bytes }) => {
      const here = await fileBytes(path);
      if (here !== bytes) throw transient("FILE_INCOMPLETE", `${path} has ${here} bytes, and had ${bytes}`);
    });
  const fileIsWhole: Gate<WantedItem, Made> = (visit) =>
    each(visit, async ({ path }) => {
      const wrong = notWhole(await probe.facts(path, visit.signal));
      if (wrong !== null) throw transient("INVALID_FORMAT", `${path} is no whole film: ${wrong}`);
    });
  return [everyEncodingWasTried, encodesAreThere, fileIsThere, fileHasItsSize, fileIsWhole];
}

type Left = Made & Record<string, unknown>;
type SentGate = Gate<WantedItem, Left>;

/**
 * Each target proved it at its own end; here it is asked once more. A server that does not answer just now is believed: that it is
 * away after it got its file is no reason to hold the item.
 */
export function sentGates({ services }: MediaPorts, stage: "deliver" | "publish"): readonly SentGate[] {
  const targetsHaveIt: SentGate = async (visit) => {
    const { outputs } = visit.out[stage] as PartsOutput<Delivered>; // what the engine sums up
    const wrong = await Promise.all(
      Object.entries(outputs).map(async ([name, came]) => {
        if (came === undefined) return null;
        const { path, bytes, isPublished, id } = came;
        const place = isPublished ? path : partPath({ to: path, id });
        const there = await visit
          .call(services.servers(name), ({ destination }) => destination.bytesAt(place, visit.signal))
          .catch((error: unknown) => (isAway(error) ? bytes : Promise.reject(error)));
        return there === bytes ? null : `${name} has ${there ?? "nothing"} of ${bytes} bytes`;
      }),
    );
    const told = wrong.filter((one) => one !== null);
    if (told.length > 0) throw transient("NOT_THERE", told.join("; "));
  };
  return [targetsHaveIt];
}

const isAway = (error: unknown): boolean => error instanceof Fault && error.kind === "unavailable";

/** Somebody joined while it was being delivered: they get it too. */
export function lateGates(ports: MediaPorts): readonly Gate<WantedItem, Made & { deliver: PartsOutput<Delivered> }>[] {
  const everyTargetWasServed: Gate<WantedItem, Made & { deliver: PartsOutput<Delivered> }> = async (visit) => {
    const { delivered, failed, cancelled } = visit.out.deliver;
    const served = new Set([...delivered, ...cancelled, ...failed.map(({ part }) => part)]);
    const late = (await targetsOf(visit, ports)).filter(({ name }) => !served.has(name));
    return late.length === 0 ? undefined : back("deliver", { late: late.map(({ name }) => name) });
  };
  return [everyTargetWasServed];
}
