// A small file that a test sends, and that is gone afterwards.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export async function withProbe<T>(
  work: (probe: { readonly file: string; readonly id: string }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-test-"));
  try {
    const file = path.join(folder, "probe");
    await writeFile(file, "Sluice tried whether it can write here.\n");
    // The folder's own ending: no two that test at the same time have the same.
    return await work({ file, id: path.basename(folder).replace(/[^A-Za-z0-9]/g, "") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
