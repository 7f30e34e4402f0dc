// Settings from sluice.yaml, with the line and column of everything that is wrong in it. Pure.

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { nearest } from "../../kit/index.ts";
import type { Environment } from "./environment.ts";
import type { Layer, Said } from "./resolve.ts";
import { isPath, PATHS, type SettingPath } from "./settings.ts";

export function yamlLayer(text: string, file: string, environment: Environment): Layer {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const said = new Map<SettingPath, Said>();
  const problems: string[] = [];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  for (const error of [...document.errors, ...document.warnings])
    problems.push(`${at(error.pos[0])} ${error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "")}`);
  const walk = (node: unknown, above: string): void => {
    if (!isMap(node)) return;
    for (const pair of node.items) enter(pair, above);
  };
  const enter = ({ key, value }: Pair, above: string): void => {
    const name = isScalar(key) ? String(key.value) : "";
    const path = above === "" ? name : `${above}.${name}`;
    const here = at(startOf(key));
    if (isMap(value) && isGroup(path)) walk(value, path);
    else if (isPath(path)) take(path, value);
    else problems.push(`${here} ${unknownKey(path, above)}`);
  };
  const take = (path: SettingPath, value: unknown): void => {
    const read = textOf(value);
    const from = at(startOf(value));
    const missing: string[] = [];
    const text = expand(read ?? "", environment, missing);
    if (read === undefined) problems.push(`${from} ${path} must be one value`);
    for (const one of missing) problems.push(`${from} ${path} uses \${${one}}, which is not set`);
    if (text !== "" && missing.length === 0) said.set(path, { text, from });
  };
  if (document.contents !== null && !isMap(document.contents) && document.errors.length === 0)
    problems.push(`${file}:1:1 must be settings by name, such as "server:" and below it "  port: 80"`);
  walk(document.contents, "");
  return { said, problems };
}

const isGroup = (path: string) => PATHS.some((known) => known.startsWith(`${path}.`));

function unknownKey(path: string, above: string): string {
  const inside = (group: string) =>
    PATHS.filter((known) => known.startsWith(`${group}.`)).map((known) => known.slice(group.length + 1));
  if (isGroup(path)) return `${path} is a group of settings: ${inside(path).join(", ")}`;
  const meant = nearest(path, [...PATHS, ...new Set(PATHS.map((known) => known.split(".")[0] ?? ""))]);
  if (meant !== undefined) return `${path} is not known; did you mean ${meant}?`;
  const there = inside(above).join(", ");
  return `${path} is not known${there === "" ? "" : `; in ${above} there is ${there}`}`;
}

/** A list becomes the text it could have been written as; undefined for what is no value. */
function textOf(value: unknown): string | undefined {
  if (isSeq(value)) {
    const each = value.items.map(textOf);
    return each.every((one) => one !== undefined) ? each.join(",") : undefined;
  }
  if (value === null || value === undefined) return "";
  if (!isScalar(value) || isAlias(value)) return undefined;
  return value.value === null ? "" : String(value.value);
}

/** `${NAME}` is the environment's. */
function expand(text: string, environment: Environment, missing: string[]): string {
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name];
    if (value === undefined) missing.push(name);
    return value ?? "";
  });
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}
