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
  const folders = "{src,test,scripts,bench,examples,docs,.ci}/**/*";
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

function children(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(children);
  if (isNode(value)) return [value];
  // The parser wraps call arguments and elements in plain objects without a type: look through them.
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(children);
  return [];
}

/** Every node below and including `node`; `enter` may refuse to look inside one. */
export function* walk(node: Node, enter: (node: Node) => boolean = () => true): Generator<Node> {
  yield node;
  if (!enter(node)) return;
  for (const [field, value] of Object.entries(node)) {
    if (field === "span") continue;
    for (const child of children(value)) yield* walk(child, enter);
  }
}

export function nodes(source: Source): Node[] {
  return source.tree === undefined ? [] : [...walk(source.tree)];
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
