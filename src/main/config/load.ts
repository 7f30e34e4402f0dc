// Reads the configuration of this process: flags, environment, sluice.yaml; and, once the database is open, what is set there.

import { readFileSync } from "node:fs";
import type { Queryable } from "../../engine/index.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { environmentLayer } from "./environment.ts";
import { showValue } from "./kinds.ts";
import { type Layer, type Resolved, resolve, type Said } from "./resolve.ts";
import { type Config, isPath, PATHS, type SettingPath, settingOf } from "./settings.ts";

/** By the names commander gives them: logLevel for --log-level. */
export type Flags = Readonly<Record<string, unknown>>;

const FILE = "sluice.yaml";
/** In the table of the server's settings. */
const STORED = "config.";

/** What was said before any database is open, all of it, with all that is wrong. */
export async function gather(flags: Flags = {}): Promise<readonly Layer[]> {
  const { env } = process;
  const environment = environmentLayer(env, (file) => readFileSync(file, "utf8"));
  return [flagLayer(flags), environment, await fileLayer(typeof flags.config === "string" ? flags.config : undefined)];
}

/** Throws with all problems at once. */
export async function loadConfig(
  flags: Flags = {},
): Promise<{ readonly config: Config; readonly layers: readonly Layer[] }> {
  const layers = await gather(flags);
  const resolved = resolve(layers);
  if (resolved.problems.length > 0) throw new UsageError(problemText(resolved.problems), "sluice config check");
  return { config: resolved.config, layers };
}

/** With what is set in the database. What is wrong there is told and left out: nobody could start to mend it otherwise. */
export async function withStored(layers: readonly Layer[], db: Queryable): Promise<Resolved> {
  return resolve([...layers, await storedLayer(db)]);
}

export function problemText(problems: readonly string[]): string {
  return problems.length === 1 ? `${problems[0]}` : [`${problems.length} settings are wrong`, ...problems].join("\n  ");
}

function flagLayer(flags: Flags): Layer {
  const said = new Map<SettingPath, Said>();
  for (const path of PATHS) {
    const [flag] = settingOf(path).flag?.split(" ") ?? [];
    const value = flag === undefined ? undefined : flags[camel(flag)];
    if (flag !== undefined && typeof value === "string") said.set(path, { text: value, from: flag });
  }
  return { said, problems: [] };
}

const camel = (flag: string) => flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

async function fileLayer(named: string | undefined): Promise<Layer> {
  const { env } = process;
  const given = named ?? (env.SLUICE_CONFIG || undefined);
  let text: string;
  try {
    text = readFileSync(given ?? FILE, "utf8");
  } catch (error) {
    if (given === undefined) return { said: new Map(), problems: [] };
    throw new CommandError(
      EXIT.usage,
      `${given} cannot be read: ${(error as Error).message}`,
      `write it, or leave out --config`,
    );
  }
  // Loaded only where there is a file: most have none.
  return (await import("./yaml-file.ts")).yamlLayer(text, given ?? FILE, env);
}

async function storedLayer(db: Queryable): Promise<Layer> {
  const { readSettings } = await import("../../server/settings/setting.sql.ts");
  const names = PATHS.filter((path) => settingOf(path).stored === true).map((path) => `${STORED}${path}`);
  const said = new Map<SettingPath, Said>();
  for (const [name, value] of await readSettings(db, names)) {
    const path = name.slice(STORED.length);
    if (isPath(path))
      said.set(path, {
        text: typeof value === "string" ? value : showValue(settingOf(path).kind, value),
        from: "database",
      });
  }
  return { said, problems: [] };
}

export const storedName = (path: SettingPath) => `${STORED}${path}`;
