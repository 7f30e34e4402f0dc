// What PostgreSQL writes goes to a file, not to a pipe: a pipe breaks when the process that started the server ends.
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./error.ts";

const LIMIT_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

export interface LogFile {
  readonly handle: FileHandle;
  /** What was written since the file was opened, its last 16 KB. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

export function logPath(home: string): string {
  return join(home, "postgres.log");
}

/** Opened for appending; one that has grown beyond 10 MB is put aside first, replacing the one put aside before. */
export async function openLog(home: string): Promise<LogFile> {
  const path = logPath(home);
  if ((await sizeOf(path)) > LIMIT_BYTES) await rename(path, `${path}.1`);
  const handle = await open(path, "a+", 0o600);
  const begin = (await handle.stat()).size;
  return {
    handle,
    async tail() {
      const { size } = await handle.stat();
      const from = Math.max(begin, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString("utf8", 0, bytesRead);
    },
    close: () => handle.close(),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}
