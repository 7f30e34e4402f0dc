// Giving a part its name at a server, and taking it back where nobody wants it any more.

import { type Destination, partPath } from "../../../connectors/index.ts";
import { done, Fault, type Outcome, parseId, transient, type Visit, wait } from "../../../engine/index.ts";
import type { Announced } from "../clients/servers.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import { type Delivered, NOT_TOLD } from "./delivered.ts";
import type { FoundDelivery } from "./deliveries.sql.ts";
import { at, type Bringing, bytesAt, type Hold, mark, resume, stillOurs, taken } from "./hold.ts";
import type { LeavingRow, NameOfItem } from "./leaving.sql.ts";
import type { Consignment } from "./parcel.ts";
import { isThere } from "./standing.ts";

/** A server that has all of it, and has yet to name it. */
export interface Unnamed extends Consignment {
  readonly sent: Pick<Delivered, "bytes" | "sha256" | "sentBytes">;
}

/** With all or nothing, when all have it. What is not there any more cannot be sent from here: the gate behind it has that done. */
export async function nameSent(
  visit: Visit<WantedItem, unknown, Unnamed>,
  ports: MediaPorts,
): Promise<Outcome<Delivered>> {
  const { part } = visit;
  const { sent } = part;
  const bringing = { visit, ports };
  const whole = { path: part.to, id: part.id, ...sent };
  const row = await ports.deliveries.find(part.name, part.to);
  const item = parseId("item", part.item);
  const isOurs = row?.item_id === item;
  if (row === undefined || row.part_id !== part.id || !(isOurs || row.also.includes(item)))
    return done({ ...whole, isPublished: false, told: NOT_TOLD });
  if (isThere(row)) return done({ ...whole, isPublished: true, told: await announce(bringing) });
  if (!isOurs && row.is_live) return wait("name_busy", { again: "5s", note: `another episode in it names ${part.to}` });
  if (row.state !== "sent") return done({ ...whole, isPublished: false, told: NOT_TOLD });
  return await nameTaken(bringing, row, whole);
}

async function nameTaken(
  bringing: Bringing,
  row: FoundDelivery,
  whole: Omit<Delivered, "isPublished" | "told">,
): Promise<Outcome<Delivered>> {
  await stillOurs(bringing, row);
  const hold = await resume(bringing, row);
  if (hold === undefined) return wait("name_busy", { again: "5s" });
  try {
    return done({ ...whole, ...(await nameIt(hold, whole)) });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "PART_GONE") throw error;
    await mark(hold, "sending");
    return done({ ...whole, isPublished: false, told: NOT_TOLD });
  }
}

/** The part takes its name; what the same item had there under another one goes; and people's media server is told. */
export async function nameIt(
  hold: Hold,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<Pick<Delivered, "isPublished" | "told">> {
  const { visit, ports } = hold;
  const { to, id, name, isWhole } = visit.part;
  await mustBeFree(hold, bytes);
  await at(hold, (there) => there.publish({ to, id, bytes }, visit.signal));
  await mark(hold, isWhole ? "published" : "kept", sha256);
  const named = await bytesAt(hold, to);
  if (named !== bytes)
    throw transient("PART_GONE", `${name} has ${named ?? "nothing"} where ${bytes} bytes were named`);
  const item_id = parseId("item", visit.part.item);
  for (const { server, path } of await ports.deliveries.others(visit.part)) {
    const left = await ports.deliveries.letGo({ server, path, item_id }, true);
    if (left === undefined) continue;
    await at(hold, (there) => removeLeaving(left, there, visit.signal));
    if (!left.is_again) await ports.deliveries.drop(left);
  }
  return { isPublished: true, told: await announce(hold) };
}

/** Sending takes hours, in which somebody else may have put something there. Where the part is gone, what is there is the part. */
async function mustBeFree(hold: Hold, bytes: number): Promise<void> {
  const { part } = hold.visit;
  const there = await bytesAt(hold, part.to);
  if (there === null || there === hold.thereBytes) return;
  if ((await bytesAt(hold, partPath(part))) === bytes) throw taken(part);
}

/** Noted, and never a reason to do anything again. */
export async function announce({ visit, ports }: Bringing): Promise<Announced> {
  const { name, to } = visit.part;
  const told = await visit
    .call(ports.services.servers(name), (server) => server.announce(to, visit.signal))
    .catch((error: unknown): Announced => {
      visit.signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      return { ok: false, code: error.code, sentence: error.message };
    });
  if (told.ok === false) visit.log.warn("its media server was not told", { code: told.code, why: told.sentence });
  return told;
}

/** What an item wants no more, unless another has it: its part, and its name where that was to be seen by nobody yet. */
export async function withdraw(name: NameOfItem, { deliveries }: MediaPorts, there: Destination, signal?: AbortSignal) {
  const left = await deliveries.letGo(name);
  if (left === undefined) return;
  await removeLeaving(left, there, signal);
  if (!left.is_again) await deliveries.drop(left);
}

async function removeLeaving(left: LeavingRow, there: Destination, signal?: AbortSignal): Promise<void> {
  const { path, part_id: id, bytes, there_bytes, was, is_again } = left;
  const part = partPath({ to: path, id });
  if (is_again) return await there.remove(part, signal);
  // Named, and whoever did so died before it could say so.
  const isNamed = was === "sent" && (await there.bytesAt(part, signal)) === null;
  const named = isNamed ? bytes : there_bytes;
  await there.remove(part, signal);
  // What is of another size is somebody else's by now.
  if (named !== null && (await there.bytesAt(path, signal)) === named) await there.remove(path, signal);
}
