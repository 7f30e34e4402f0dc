// Where our own database is kept; undefined where it is somebody else's.

import type { Config } from "./config/settings.ts";

export function ownFolder(config: Config): string | undefined {
  const database = config["database.url"] ?? "./data";
  return /^[a-z]+:\/\//.test(database) ? undefined : database;
}
