// Where the built dashboard lies: beside this room in what ships, in dist where the sources run.

import { existsSync } from "node:fs";
import { join } from "node:path";

export function dashboardFolder(): string | undefined {
  const beside = join(import.meta.dirname, "../dashboard");
  const built = join(import.meta.dirname, "../../dist/dashboard");
  return [beside, built].find((folder) => existsSync(join(folder, "index.html")));
}
