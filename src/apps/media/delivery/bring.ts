// Bringing one file to one server: whose the name is, sending what is missing, naming it, and having it looked at.

import { type Destination, fileSha256, partPath } from "../../../connectors/index.ts";
import { done, Fault, type Outcome, parseId, permanent, unavailable, type Visit, wait } from "../../../engine/index.ts";
import { toMilliseconds } from "../../../kit/index.ts";
import type { Announced } from "../clients/servers.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import type { FoundDelivery } from "./deliveries.sql.ts";
import type { Consignment, FileToSend } from "./parcel.ts";
import { StallWatch } from "./stall-watch.ts";
import { nameStanding } from "./standing.ts";

export interface Delivered {
  /** Below the server's root. */
  readonly path: string;
  /** Tells its part from any other's. */
  readonly id: string;
  readonly bytes: number;
  /** By the last try alone: less than all where it went on from a part, or was there. */
  readonly sentBytes: number;
  readonly sha256: string;
  /** With all or nothing, not before all servers have it. */
  readonly isPublished: boolean;
  readonly told: Announced;
}

export type PartVisit = Visit<WantedItem, unknown, Consignment>;
type Bringing = { readonly visit: PartVisit; readonly ports: MediaPorts; readonly file: FileToSend };

export const NOT_TOLD: Announced = { ok: null, code: null, sentence: null };

export async function bring(visit: PartVisit, ports: MediaPorts): Promise<Outcome<Delivered>> {
  const { part } = visit;
  const { file, failure } = part;
  if (file === null)
    throw permanent(failure?.code ?? "NOTHING_TO_SEND", failure?.message ?? "there is nothing to send", NOBODY);
  const bringing = { visit, ports, file };
  const row = await ports.deliveries.find(part.name, part.to);
  const standing = nameStanding({ item: parseId("item", part.item), id: part.id, row });
  switch (standing) {
    case "busy":
      return wait("name_busy", { again: "30s", note: `another film is just being delivered there as ${part.to}` });
    case "sent":
      return await afterSending(bringing, row?.sha256 ?? "");
    case "sending":
      return await send(bringing);
    case "free":
    case "left":
      return await take(bringing, row);
    case "there":
    case "changed":
    case "another":
      return await compare(bringing, row, standing);
  }
}

/** What is the item's own or another's fault is no fault of the server's. */
const NOBODY = { breaker: "none" } as const;

export const at = <T>({ visit, ports }: Pick<Bringing, "visit" | "ports">, ask: (there: Destination) => Promise<T>) =>
  visit.call(ports.services.servers(visit.part.name), ({ destination }) => ask(destination));

/** A name that was free, or of an item that is over: not before it is known to be nobody else's. */
async function take(bringing: Bringing, row: FoundDelivery | undefined): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = bringing;
  const { part, signal } = visit;
  if (row !== undefined) await removePart(bringing, row.part_id);
  const bytes = await at(bringing, (there) => there.bytesAt(part.to, signal));
  const isSame = bytes === file.bytes && (await isSameContent(bringing));
  if (bytes !== null && !isSame) throw taken(part);
  if (!(await ports.deliveries.claim(part, row))) return wait("name_busy", { again: "5s" });
  return isSame ? await wasThere(bringing) : await send(bringing);
}

async function isSameContent(bringing: Bringing): Promise<boolean> {
  const { visit, file } = bringing;
  const there = await at(bringing, (destination) => destination.sha256At(visit.part.to, visit.signal));
  return there === (await fileSha256(file.path));
}

/** Something of ours lies there already, or of another item. */
async function compare(
  bringing: Bringing,
  row: FoundDelivery | undefined,
  standing: "there" | "changed" | "another",
): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = bringing;
  const { part, signal } = visit;
  const bytes = await at(bringing, (there) => there.bytesAt(part.to, signal));
  const isSame =
    bytes === file.bytes && row?.bytes === bytes && row.sha256 !== null && row.sha256 === (await fileSha256(file.path));
  // Two episodes in one file are two items that bring the same. What an earlier stay has brought is as it was.
  if (isSame && standing !== "changed") return await wasThere(bringing, false);
  if (standing === "another" && bytes !== null) throw taken(part);
  if (standing === "changed" && row !== undefined) await removePart(bringing, row.part_id);
  if (!(await ports.deliveries.claim(part, row))) return wait("name_busy", { again: "5s" });
  return isSame ? await wasThere(bringing) : await send(bringing);
}

const taken = ({ name, to }: Consignment) =>
  permanent("NAME_TAKEN", `at ${name} there is something else under ${to}, and it was not touched`, NOBODY);

async function removePart(bringing: Bringing, id: string): Promise<void> {
  const { part, signal } = bringing.visit;
  await at(bringing, (there) => there.remove(partPath({ to: part.to, id }), signal));
}

/** Nothing had to be sent. What was there before us is never taken back, whatever becomes of the others. */
async function wasThere({ visit, ports, file }: Bringing, isNew = true): Promise<Outcome<Delivered>> {
  const { part } = visit;
  const sha256 = await fileSha256(file.path);
  if (isNew) await ports.deliveries.mark(part, "kept", sha256);
  const told = await announce({ visit, ports }, part.to);
  return done({ path: part.to, id: part.id, bytes: file.bytes, sentBytes: 0, sha256, isPublished: true, told });
}

async function send(bringing: Bringing): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = bringing;
  const { part } = visit;
  const watch = new StallWatch(ports.clock, toMilliseconds(ports.limits.stallDeliver, "stallDeliver"));
  const signal = AbortSignal.any([visit.signal, watch.signal]);
  const onBytes = (bytes: number) => {
    watch.moved();
    visit.progress((100 * bytes) / Math.max(1, file.bytes));
    // What follows is the comparison, which moves nothing.
    if (bytes >= file.bytes) watch.stop();
  };
  void watch.start();
  try {
    const parcel = { file: file.path, to: part.to, id: part.id };
    const sent = await at(bringing, (there) => there.send(parcel, { signal, onBytes }));
    if (sent.bytes !== file.bytes) throw permanent("SOURCE_CHANGED", `${file.path} is not as large as it was`, NOBODY);
    await ports.deliveries.mark(part, "sent", sent.sha256);
    return await afterSending(bringing, sent.sha256, sent.sentBytes);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "DISK_FULL") throw error;
    throw unavailable(error.code, error.message, { ...NOBODY, retryAfter: ports.limits.fullAgain, cause: error });
  } finally {
    watch.stop();
  }
}

/** All of it is there. With all or nothing it waits for the others under its other name. */
async function afterSending(bringing: Bringing, sha256: string, sentBytes = 0): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = bringing;
  const { part } = visit;
  const { bytes } = file;
  if (part.isWhole)
    return done({ path: part.to, id: part.id, bytes, sentBytes, sha256, isPublished: false, told: NOT_TOLD });
  try {
    return done({ ...(await publish({ visit, ports }, { bytes, sha256 })), sentBytes });
  } catch (error) {
    // Whoever removed it there: it is sent again.
    if (!(error instanceof Fault) || error.code !== "PART_GONE") throw error;
    await ports.deliveries.mark(part, "sending");
    throw error;
  }
}

/** The part takes its name; what the same item had there under another one goes; and people's media server is told. */
export async function publish(
  { visit, ports }: { readonly visit: PartVisit; readonly ports: MediaPorts },
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<Omit<Delivered, "sentBytes">> {
  const { part, signal } = visit;
  const { deliveries } = ports;
  const { to, id } = part;
  await at({ visit, ports }, (there) => there.publish({ to, id, bytes }, signal));
  await deliveries.mark(part, part.isWhole ? "published" : "kept", sha256);
  const named = await at({ visit, ports }, (there) => there.bytesAt(to, signal));
  if (named !== bytes) {
    await deliveries.mark(part, "sending");
    throw new Fault("transient", "PART_GONE", `${part.name} has ${named ?? "nothing"} where ${bytes} bytes were named`);
  }
  for (const old of await deliveries.others(part)) {
    await at({ visit, ports }, async (there) => {
      await there.remove(partPath({ to: old.path, id: old.part_id }), signal);
      if (old.state === "published" || old.state === "kept") await there.remove(old.path, signal);
    });
    await deliveries.drop(old);
  }
  const told = await announce({ visit, ports }, to);
  return { path: to, id, bytes, sha256, isPublished: true, told };
}

/** Noted, and never a reason to do anything again. */
async function announce({ visit, ports }: Pick<Bringing, "visit" | "ports">, path: string): Promise<Announced> {
  const told = await visit.call(ports.services.servers(visit.part.name), (server) =>
    server.announce(path, visit.signal),
  );
  if (told.ok === false) visit.log.warn("its media server was not told", { code: told.code, why: told.sentence });
  return told;
}
