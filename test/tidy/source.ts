// Source files as the tidy rules see them: text, and a syntax tree, so that a rule is not fooled by a comment or string.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";

export interface Node {
  readonly type: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly [field: string]: unknown;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  /** Absent for files that are not TypeScript. */
  readonly tree: Node | undefined;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

export function sourceOf(path: string, text: string): Source {
  if (!path.endsWith(".ts")) return { path, text, tree: undefined };
  const tree: unknown = parseSync(text, { syntax: "typescript", target: "esnext" });
  if (!isNode(tree)) throw new Error(`${path}: the parser gave no syntax tree`);
  return { path, text, tree };
}

export function readProject(root: string): Source[] {
  const folders = "{src,test,scripts,bench,sandbox,docs,.ci}/**/*";
  const rootFiles = ["*.{ts,json,md,cjs}", ".dependency-cruiser.cjs", ".gitignore", ".editorconfig", "LICENSE"];
  const isIgnored = (path: string): boolean => /(^|\/)(node_modules|dist|data|coverage)(\/|$)/.test(path);
  return globSync([folders, ...rootFiles], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !isIgnored(path))
    .sort()
    .map((path) => sourceOf(path, readFileSync(join(root, path), "utf8")));
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "span" in value;
}

/** Every node below and including `node`; `enter` may refuse to look inside one. */
export function walk(node: Node, enter: (node: Node) => boolean = () => true): Node[] {
  const found: Node[] = [];
  const add = (one: Node): void => {
    found.push(one);
    if (!enter(one)) return;
    for (const field in one) if (field !== "span") addAll(one[field]);
  };
  // The parser wraps call arguments and elements in plain objects without a type: look through them.
  const addAll = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) addAll(each);
    else if (isNode(value)) add(value);
    else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) addAll(each);
  };
  add(node);
  return found;
}

/** Several rules look at every tree, and to walk them all takes as long as to parse them. */
const walked = new WeakMap<Source, readonly Node[]>();

export function nodes(source: Source): readonly Node[] {
  const known = walked.get(source);
  if (known !== undefined) return known;
  const all = source.tree === undefined ? [] : walk(source.tree);
  walked.set(source, all);
  return all;
}

export function finding(source: Source, node: Node, what: string): Finding {
  // Spans count bytes, from 1.
  const before = Buffer.from(source.text).subarray(0, node.span.start - 1);
  return { path: source.path, line: before.toString().split("\n").length, what };
}

/** `value` of an identifier or string literal. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value) || (value.type !== "Identifier" && value.type !== "StringLiteral")) return undefined;
  return typeof value.value === "string" ? value.value : undefined;
}
