// Room on the other side. Version 3 of the protocol has no word for a full disk: a write then fails like any other.

import { type Fault, unavailable } from "../../../engine/index.ts";
import type { Session } from "./session.ts";

/** A disk is left with as much as this, for whoever else is there. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Null where the server does not tell. */
export async function freeBytes(session: Session, folder: string): Promise<number | null> {
  const told = await session.askIfAble<{ readonly f_bavail: number; readonly f_frsize: number }>(
    "asking for space",
    (answered) => session.sftp.ext_openssh_statvfs(folder, answered),
  );
  return told === null ? null : told.f_bavail * told.f_frsize;
}

/** Before anything is sent. */
export async function checkRoom(session: Session, folder: string, bytes: number, service: string): Promise<void> {
  const free = await freeBytes(session, folder);
  if (free === null || free >= bytes + Math.min(SPARE_BYTES, bytes)) return;
  throw fullFault(service, `has ${free} bytes left, and ${bytes} are to come`);
}

/** After a write that failed: what is there already can be written over, and only more of it cannot be had. */
export async function isFull(session: Session, handle: Buffer): Promise<boolean> {
  const first = Buffer.alloc(1);
  try {
    const got = await session.ask<number>("reading the part", (answered) =>
      session.sftp.read(handle, first, 0, 1, 0, (error, bytes) => answered(error, bytes)),
    );
    if (got === 0) return true;
    await session.ask("writing the part", (answered) => session.sftp.write(handle, first, 0, 1, 0, answered));
    return true;
  } catch {
    return false;
  }
}

export function fullFault(service: string, why: string, cause?: unknown): Fault {
  return unavailable("DISK_FULL", `${service} ${why}`, { service, cause });
}
