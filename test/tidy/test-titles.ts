// The names of the tests in a file, as a page may name them: what `it` and `test` are given, the rows of a table of them, and the cases
// of a contract.
import { isNode, type Node, nameOf, nodes, type Source } from "./source.ts";

const TESTS = new Set(["it", "test"]);
const TABLES = new Set(["each", "for"]);

export function titlesOf(source: Source): ReadonlySet<string> {
  return new Set(nodes(source).flatMap((node) => [...ofCall(node), ...ofCase(node)]));
}

function ofCall(node: Node): string[] {
  if (node.type !== "CallExpression" || !isNode(node.callee)) return [];
  const table = node.callee.type === "CallExpression" ? node.callee : null;
  const called = table === null ? node.callee : table.callee;
  if (!isNode(called) || !TESTS.has(rootOf(called))) return [];
  // `it.each` itself is no test yet.
  if (table === null && TABLES.has(lastOf(called))) return [];
  return [...textOf(firstOf(node.arguments)), ...(table === null ? [] : rowsOf(firstOf(table.arguments)))];
}

/** Each row of a table is named by its first text. */
function rowsOf(given: unknown): string[] {
  if (!isNode(given)) return [];
  // `[…] as const`
  if (given.type !== "ArrayExpression") return rowsOf(given.expression);
  const rows: readonly unknown[] = Array.isArray(given.elements) ? given.elements : [];
  return rows
    .map(bare)
    .flatMap((row) => (isNode(row) && row.type === "ArrayExpression" ? textOf(firstOf(row.elements)) : []));
}

/** `{ name: "…", run() {} }`, and a tidy rule, which has a check. */
function ofCase({ type, properties }: Node): string[] {
  if (type !== "ObjectExpression" || !Array.isArray(properties)) return [];
  const named = (name: string) => properties.find((one: { readonly key?: unknown }) => nameOf(one.key) === name);
  return named("run") === undefined && named("check") === undefined ? [] : textOf(named("name")?.value);
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? bare(list[0]) : undefined);

/** The parser wraps elements and arguments. */
const bare = (wrapped: unknown): unknown =>
  typeof wrapped === "object" && wrapped !== null && "expression" in wrapped && !isNode(wrapped)
    ? wrapped.expression
    : wrapped;

function textOf(value: unknown): string[] {
  const text = isNode(value) && value.type === "StringLiteral" ? nameOf(value) : undefined;
  return text === undefined ? [] : [text];
}

/** `it` of `it.concurrent.each`. */
function rootOf(node: Node): string {
  return node.type === "MemberExpression" && isNode(node.object) ? rootOf(node.object) : (nameOf(node) ?? "");
}

const lastOf = (node: Node): string => (node.type === "MemberExpression" ? (nameOf(node.property) ?? "") : "");
