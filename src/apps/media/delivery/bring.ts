// Bringing one file to one server: whose the name is, sending what is missing, naming it, and having it looked at.

import { fileSha256, partPath } from "../../../connectors/index.ts";
import { done, Fault, type Outcome, parseId, permanent, unavailable, wait } from "../../../engine/index.ts";
import { toMilliseconds } from "../../../kit/index.ts";
import type { MediaPorts } from "../ports.ts";
import { type Delivered, NOT_TOLD } from "./delivered.ts";
import type { FoundDelivery } from "./deliveries.sql.ts";
import {
  at,
  type Bringing,
  bytesAt,
  type Hold,
  mark,
  NOBODY,
  type PartVisit,
  removePart,
  resume,
  stillOurs,
  taken,
  takeUp,
} from "./hold.ts";
import { announce, nameIt } from "./naming.ts";
import type { FileToSend } from "./parcel.ts";
import { StallWatch } from "./stall-watch.ts";
import { isThere, type NameStanding, nameStanding } from "./standing.ts";

type WithFile = Bringing & { readonly file: FileToSend };
type Taken = WithFile & Hold;

export async function bring(visit: PartVisit, ports: MediaPorts): Promise<Outcome<Delivered>> {
  const { part } = visit;
  const { file, failure } = part;
  if (file === null)
    throw permanent(failure?.code ?? "NOTHING_TO_SEND", failure?.message ?? "there is nothing to send", NOBODY);
  const bringing = { visit, ports, file };
  const row = await ports.deliveries.find(part.name, part.to);
  const standing = nameStanding({ ...part, item: parseId("item", part.item), row });
  if (row === undefined || standing === "left" || standing === "free") return await takeFree(bringing, row);
  switch (standing) {
    case "busy":
      return wait("name_busy", { again: "30s", note: `something else is just being done there about ${part.to}` });
    case "sending":
    case "sent":
      return await goOn(bringing, row, standing);
    case "shared":
      return await share(bringing, row);
    case "there":
    case "changed":
    case "earlier":
    case "another":
      return await compare(bringing, row, standing);
  }
}

/** Whoever was faster is seen with the next visit. */
const FASTER = wait("name_busy", { again: "5s" });

const withFile = (hold: Hold | undefined, { file }: WithFile): Taken | undefined =>
  hold === undefined ? undefined : { ...hold, file };

/** A name that was free, or of an item that is over: not before it is known to be nobody else's. */
async function takeFree(bringing: WithFile, row: FoundDelivery | undefined): Promise<Outcome<Delivered>> {
  const { visit, file } = bringing;
  const { part } = visit;
  await stillOurs(bringing, row);
  if (row !== undefined) await removePart(bringing, row);
  const bytes = await bytesAt(bringing, part.to);
  const isSame = bytes === file.bytes && (await isSameContent(bringing));
  // What that item was about to replace is of the same title.
  const thereBytes = row !== undefined && row.title === part.title ? row.there_bytes : null;
  if (bytes !== null && bytes !== thereBytes && !isSame) throw taken(part);
  return await sendOrKeep(bringing, row, { isSame, thereBytes });
}

async function isSameContent(bringing: WithFile): Promise<boolean> {
  const { visit, file } = bringing;
  const there = await at(bringing, (destination) => destination.sha256At(visit.part.to, visit.signal));
  return there === (await fileSha256(file.path));
}

/** Ours, and on its way. Of what has to wait for the others, all has to be there still. */
async function goOn(bringing: WithFile, row: FoundDelivery, state: "sending" | "sent"): Promise<Outcome<Delivered>> {
  const { part } = bringing.visit;
  await stillOurs(bringing, row);
  const hold = withFile(await resume(bringing, row), bringing);
  if (hold === undefined) return FASTER;
  const isAllThere =
    state === "sent" && (!part.isWhole || (await bytesAt(bringing, partPath(part))) === bringing.file.bytes);
  if (isAllThere) return await afterSending(hold, row.sha256 ?? "");
  await mark(hold, "sending");
  return await send(hold);
}

/** Made of the same by another item: nothing has to be sent where it is there as it was. */
async function share(bringing: WithFile, row: FoundDelivery): Promise<Outcome<Delivered>> {
  const { visit, ports } = bringing;
  const { path, part_id: id, bytes, sha256 } = row;
  const isPublished = isThere(row);
  const there = await bytesAt(bringing, isPublished ? path : partPath({ to: path, id }));
  if (there !== bytes || sha256 === null) return isPublished ? await compare(bringing, row, "shared") : FASTER;
  await stillOurs(bringing, row);
  if (!(await ports.deliveries.join(visit.part, row))) return FASTER;
  const told = isPublished ? await announce(bringing) : NOT_TOLD;
  return done({ path, id, bytes, sentBytes: 0, sha256, isPublished, told });
}

/** Something of ours lies there already, or of another item. */
async function compare(bringing: WithFile, row: FoundDelivery, standing: NameStanding): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = bringing;
  const { part } = visit;
  const bytes = await bytesAt(bringing, part.to);
  const isSame = bytes === file.bytes && row.bytes === bytes && row.sha256 === (await fileSha256(file.path));
  // Of what is ours the row knows the size: anything else was put there by somebody since.
  const isStrange = standing === "another" || bytes !== (isThere(row) ? row.bytes : row.there_bytes);
  if (bytes !== null && !isSame && isStrange) throw taken(part);
  if (standing === "another" && bytes === null && row.is_live) return FASTER;
  await stillOurs(bringing, row);
  // What an earlier stay has brought is as it was; what another item has brought is as good.
  if (isSame && (standing === "there" || standing === "another")) {
    if (standing === "another" && !(await ports.deliveries.join(part, row))) return FASTER;
    return await wasThere(bringing);
  }
  if (standing === "changed") await removePart(bringing, row);
  // Ours, whatever has become of it since; or what was there of the title before.
  const thereBytes = isThere(row) ? bytes : row.there_bytes;
  const isShared = standing === "earlier" || standing === "shared";
  return await sendOrKeep(bringing, row, { isSame, thereBytes, isShared });
}

interface Found {
  readonly isSame: boolean;
  readonly thereBytes: number | null;
  readonly isShared?: boolean;
}

/** What was there before us is never taken back, whatever becomes of the others. */
async function sendOrKeep(
  bringing: WithFile,
  row: FoundDelivery | undefined,
  { isSame, thereBytes: there_bytes, isShared = false }: Found,
): Promise<Outcome<Delivered>> {
  const sha256 = isSame ? await fileSha256(bringing.file.path) : null;
  const as = {
    ...(isSame ? { state: "kept" as const, there_bytes: null } : { state: "sending" as const, there_bytes }),
  };
  const hold = withFile(await takeUp(bringing, row, { ...as, sha256, isShared }), bringing);
  if (hold === undefined) return FASTER;
  return isSame ? await wasThere(bringing) : await send(hold);
}

/** Nothing had to be sent. */
async function wasThere(bringing: WithFile): Promise<Outcome<Delivered>> {
  const { visit, file } = bringing;
  const { to: path, id } = visit.part;
  const sha256 = await fileSha256(file.path);
  const told = await announce(bringing);
  return done({ path, id, bytes: file.bytes, sentBytes: 0, sha256, isPublished: true, told });
}

async function send(hold: Taken): Promise<Outcome<Delivered>> {
  const { visit, ports, file } = hold;
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
    const sent = await at(hold, (there) => there.send(parcel, { signal, onBytes }));
    if (sent.bytes !== file.bytes) throw permanent("SOURCE_CHANGED", `${file.path} is not as large as it was`, NOBODY);
    await mark(hold, "sent", sent.sha256);
    return await afterSending(hold, sent.sha256, sent.sentBytes);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "DISK_FULL") throw error;
    throw unavailable(error.code, error.message, { ...NOBODY, retryAfter: ports.limits.fullAgain, cause: error });
  } finally {
    watch.stop();
  }
}

/** All of it is there. With all or nothing it waits for the others under its other name. */
async function afterSending(hold: Taken, sha256: string, sentBytes = 0): Promise<Outcome<Delivered>> {
  const { part } = hold.visit;
  const { bytes } = hold.file;
  const whole = { path: part.to, id: part.id, bytes, sentBytes, sha256 };
  if (part.isWhole) return done({ ...whole, isPublished: false, told: NOT_TOLD });
  try {
    return done({ ...whole, ...(await nameIt(hold, { bytes, sha256 })) });
  } catch (error) {
    // Whoever removed it there: it is sent again.
    if (error instanceof Fault && error.code === "PART_GONE") await mark(hold, "sending");
    throw error;
  }
}
