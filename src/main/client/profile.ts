// Which server is meant: SLUICE_URL, or a profile of ~/.config/sluice/config.json; neither means the database at hand.

import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { UsageError } from "../exit.ts";

export interface Target {
  readonly url: string;
  readonly key: string | undefined;
}

interface Profiles {
  readonly default?: string;
  readonly profiles?: Readonly<Record<string, { readonly url?: string; readonly key?: string }>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Named {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  /** Named on the command line: then it is the database that is meant. */
  readonly database?: string | undefined;
}

/** Undefined: the database at hand. Pure but for the file it is given. */
export function chooseTarget(named: Named, env: Environment, profiles: Profiles): Target | undefined {
  if (named.database !== undefined) return undefined;
  const url = named.url ?? (env.SLUICE_URL || undefined);
  const key = env.SLUICE_API_KEY || undefined;
  if (url !== undefined) return { url: checked(url), key };
  const name = named.profile ?? (env.SLUICE_PROFILE || profiles.default);
  if (name === undefined) return undefined;
  const profile = profiles.profiles?.[name];
  if (profile?.url === undefined) {
    const known = Object.keys(profiles.profiles ?? {}).join(", ") || "none";
    throw new UsageError(`there is no profile ${name}; known: ${known}`, `add it to ${profileFile(env)}`);
  }
  return { url: checked(profile.url), key: key ?? profile.key };
}

function checked(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new UsageError(`${JSON.stringify(url)} is no address of a server`, "SLUICE_URL=http://127.0.0.1:7470");
}

export function profileFile(env: Environment): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(homedir(), ".config"), "sluice", "config.json");
}

export function readProfiles(env: Environment): Profiles {
  const file = profileFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // Most have none.
    return {};
  }
  const how = `mend it: {"default":"home","profiles":{"home":{"url":"http://…","key":"slk_…"}}}`;
  let profiles: unknown;
  try {
    profiles = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON`, how);
  }
  if (typeof profiles !== "object" || profiles === null) throw new UsageError(`${file} holds no object`, how);
  return profiles; // every field is looked at before it is used
}

/** Where others may read the keys in it. */
export function isOpenToOthers(file: string): boolean {
  try {
    return (statSync(file).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}
