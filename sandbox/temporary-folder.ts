import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Closed to others but for passing through: started by root, the database runs as another user, and one who cannot get to it would
 * have it lie elsewhere, where nobody takes it away.
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}
