// From what was said in several places to one configuration: the first place that names a setting decides. Pure.

import { readValue } from "./kinds.ts";
import { type Config, PATHS, type SettingPath, settingOf } from "./settings.ts";

export interface Said {
  readonly text: string;
  /** As it is told: `--port`, `SERVER_PORT`, `sluice.yaml:3:9`, `database`. */
  readonly from: string;
}

/** One place settings come from, and what is wrong with it as a whole. */
export interface Layer {
  readonly said: ReadonlyMap<SettingPath, Said>;
  readonly problems: readonly string[];
}

export interface Resolved {
  readonly config: Config;
  readonly sources: { readonly [Path in SettingPath]: string };
  /** All of them, each with where it comes from. */
  readonly problems: readonly string[];
}

/** Those that come first win. */
export function resolve(layers: readonly Layer[]): Resolved {
  const problems = layers.flatMap((layer) => layer.problems);
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const path of PATHS) {
    const { kind, fallback, secret, env } = settingOf(path);
    // A value that another one overrides is looked at all the same: it would come into force one day.
    const read = layers.flatMap((layer) => {
      const said = layer.said.get(path);
      if (said === undefined) return [];
      const reading = readValue(kind, said.text);
      if ("value" in reading) return [{ value: reading.value, from: said.from }];
      const got = secret === true ? "" : `, got ${JSON.stringify(said.text.slice(0, 100))}`;
      // A name says itself what it is; a place in a file does not.
      const named = said.from.startsWith("--") || said.from.startsWith(env) ? said.from : `${said.from} ${path}`;
      problems.push(`${named} ${reading.must}${got}`);
      return [];
    });
    values[path] = read[0]?.value ?? fallback;
    sources[path] = read[0]?.from ?? "default";
  }
  // Each was read by its own kind, which is what its type is made from.
  return { config: values as unknown as Config, sources: sources as Resolved["sources"], problems };
}
