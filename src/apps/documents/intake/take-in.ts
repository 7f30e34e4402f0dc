// Files on their way in: looked at, stored by their hash, and only then spoken of. A file that is stored and never spoken of is swept.

import { errnoFault } from "../../../connectors/index.ts";
import { SluiceError, type Tables } from "../../../engine/index.ts";
import type { DocumentCode } from "../codes.ts";
import { fileAt, incomingAt, type Places } from "../files/places.ts";
import { publish, unpublish } from "../files/publish.ts";
import { FileRefused, type Received, receive } from "../files/receive.ts";
import type { Room } from "../files/room.ts";
import type { DocumentLimits } from "../limits.ts";
import { touchFile } from "../store/files.sql.ts";
import { shownName } from "./names.ts";

export interface Sent {
  /** As the sender calls it. */
  readonly name: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
  /** What it can have at most, where that is known to be less than any may have. */
  readonly mostBytes?: number;
}

export interface TakenIn {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface TurnedAway {
  readonly name: string;
  readonly code: Extract<DocumentCode, "NOT_PDF" | "TOO_LARGE" | "IO_ERROR">;
  /** What is known beyond the code. */
  readonly why?: string;
}

export interface TakeInPorts {
  readonly tables: Tables;
  readonly places: Places;
  readonly limits: Pick<DocumentLimits, "fileBytes">;
  readonly newName: () => string;
  readonly room: Pick<Room, "keep">;
}

/** Of a dry run it is looked at as a whole, and nothing is written. */
export async function takeIn(ports: TakeInPorts, sent: Sent, isDry: boolean): Promise<TakenIn | TurnedAway> {
  const { fileBytes } = ports.limits;
  const name = shownName(sent.name);
  try {
    if (isDry) return { name, ...(await receive(sent.content, { to: null, mostBytes: fileBytes })) };
    const most = Math.min(sent.mostBytes ?? fileBytes, fileBytes);
    return { name, ...(await ports.room.keep(most, () => store(ports, sent.content))) };
  } catch (error) {
    if (error instanceof FileRefused) return { name, code: error.code };
    if (error instanceof Error && "syscall" in error) throw notStored(error);
    throw error;
  }
}

async function store(ports: TakeInPorts, content: Sent["content"]): Promise<Received> {
  const { tables, places, limits } = ports;
  const part = incomingAt(places, "source", ports.newName());
  try {
    const { bytes, sha256 } = await receive(content, { to: part, mostBytes: limits.fileBytes });
    // First: whoever is about to remove the same file is waited for, and nobody removes it from here on.
    await touchFile(tables, "source", sha256, bytes);
    await publish(part, fileAt(places, "source", sha256));
    return { bytes, sha256 };
  } catch (error) {
    await unpublish(part);
    throw error;
  }
}

/** Without the disk's own words, which tell of places; the log has them by the cause. */
function notStored(error: Error): SluiceError {
  const { code } = errnoFault(error, "storing an upload");
  const why = code === "DISK_FULL" ? "there is no room on the server's disk" : "the server's disk refused it";
  return new SluiceError("IO_ERROR", `the file could not be saved: ${why}`, { cause: error });
}
