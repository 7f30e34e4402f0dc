// Settings from the environment: NAME, or NAME_FILE for a file that holds the value. Pure but for the reader it is given.

import { nearest } from "../../kit/index.ts";
import type { Layer, Said } from "./resolve.ts";
import { PATHS, type SettingPath, settingOf } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Others' names that begin like ours are left alone unless they look like a slip. */
const OURS = /^(DATABASE|SERVER|WORKER|LOG|RETENTION|MEDIA)_/;
/** By which a value is told from a file that holds it. */
const FILE = "_FILE";

export function environmentLayer(environment: Environment, readFile: (file: string) => string): Layer {
  const said = new Map<SettingPath, Said>();
  const problems: string[] = [];
  const known = PATHS.map((path) => settingOf(path).env);
  for (const path of PATHS) {
    const { env } = settingOf(path);
    // An empty value is an absent one: that is how a compose file passes on what nobody set.
    const text = environment[env] || undefined;
    const file = environment[`${env}${FILE}`] || undefined;
    if (text !== undefined && file !== undefined)
      problems.push(`${env} and ${env}${FILE} are both set; keep one of them`);
    else if (text !== undefined) said.set(path, { text, from: env });
    else if (file !== undefined) {
      try {
        said.set(path, { text: readFile(file).replace(/\r?\n$/, ""), from: `${env}${FILE}` });
      } catch (error) {
        problems.push(`${env}${FILE} names a file that cannot be read: ${file} (${codeOf(error)})`);
      }
    }
  }
  for (const name of Object.keys(environment)) {
    const plain = name.endsWith(FILE) ? name.slice(0, -FILE.length) : name;
    if (!OURS.test(name) || known.includes(plain)) continue;
    const meant = nearest(plain, known);
    if (meant !== undefined) problems.push(`${name} is not known; did you mean ${meant}?`);
  }
  return { said, problems };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
