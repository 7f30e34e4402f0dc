import path from "node:path";
import type { Config } from "./config/settings.ts";
import { ownFolder } from "./own-folder.ts";

/** Where films are encoded to. */
export function encodesFolder(config: Config): string {
  return path.resolve(config["media.encodes"] ?? path.join(ownFolder(config) ?? "./data", "encodes"));
}
