// What Biome and the compiler cannot say. Each rule takes one file and returns what is wrong with it.
import { type Finding, finding, isNode, type Node, nameOf, nodes, type Source, walk } from "./source.ts";
import { sqlMovesItems, sqlReadsClock } from "./sql.ts";

export interface Rule {
  readonly name: string;
  readonly appliesTo: (path: string) => boolean;
  readonly check: (source: Source) => Finding[];
}

export const maxLines = 250;

const inSrc = (path: string): boolean => path.startsWith("src/") && path.endsWith(".ts");
/** What ships: a test may read the environment, print, or poll as it needs. */
const isShipped = (path: string): boolean => inSrc(path) && !/\.(test|check)\.ts$/.test(path);
const isTypeScript = (path: string): boolean => path.endsWith(".ts");

// Spelled in pieces, or this file would break its own rule.
const leftOverMarks = new RegExp(`\\b(${["TO", "FIX"].map((half, i) => half + ["DO", "ME"][i]).join("|")})\\b`);
const foreignPath = ["..", "shared"].join("/");

function linesMatching(source: Source, pattern: RegExp | string, what: string): Finding[] {
  return source.text.split("\n").flatMap((text, index) => {
    const hit = typeof pattern === "string" ? text.includes(pattern) : pattern.test(text);
    return hit ? [{ path: source.path, line: index + 1, what }] : [];
  });
}

/** `object.property`, also through globalThis: `globalThis.process` counts as `process`. */
function member(node: Node): { object: string | undefined; property: string | undefined } {
  if (node.type !== "MemberExpression") return { object: undefined, property: undefined };
  const property = nameOf(node.property);
  const object = nameOf(node.object);
  if (object !== undefined) return object === "globalThis" ? { object: property, property: "" } : { object, property };
  const inner = isNode(node.object) ? member(node.object) : { object: undefined, property: undefined };
  return { object: inner.property === "" ? inner.object : undefined, property };
}

function usesGlobal(source: Source, name: string): Finding[] {
  return nodes(source).flatMap((node) => {
    const imported = node.type === "ImportDeclaration" && /^(node:)?(\w+)$/.exec(nameOf(node.source) ?? "")?.[2];
    if (imported === name || member(node).object === name) return [finding(source, node, `uses ${name}`)];
    return [];
  });
}

const testNames = new Set(["it", "test", "describe", "suite"]);
const skipping = new Set(["skip", "only", "todo", "skipIf", "runIf", "fails"]);

function skippedTests(source: Source): Finding[] {
  return nodes(source).flatMap((node) => {
    if (node.type !== "MemberExpression" || !skipping.has(nameOf(node.property) ?? "")) return [];
    // `it.skip`, and chains such as `describe.concurrent.skip`.
    let root: unknown = node.object;
    while (isNode(root) && root.type === "MemberExpression") root = root.object;
    return testNames.has(nameOf(root) ?? "") ? [finding(source, node, `.${nameOf(node.property)}`)] : [];
  });
}

const clocks = new Map([
  ["Date", new Set(["now"])],
  ["Math", new Set(["random"])],
  ["performance", new Set(["now"])],
  ["crypto", new Set(["randomUUID", "getRandomValues", "randomBytes", "randomInt"])],
]);
const timers = new Set(["setTimeout", "setInterval", "setImmediate"]);

function timeOrChance(node: Node): string | undefined {
  const { object, property } = member(node);
  if (object !== undefined && clocks.get(object)?.has(property ?? "")) return `${object}.${property}`;
  if (object !== undefined && timers.has(object) && property === "") return object;
  if (node.type === "CallExpression" && timers.has(nameOf(node.callee) ?? "")) return nameOf(node.callee);
  if (node.type === "CallExpression" && nameOf(node.callee) === "Date") return "Date()";
  if (node.type === "NewExpression" && nameOf(node.callee) === "Date") {
    const args = node.arguments;
    return Array.isArray(args) && args.length > 0 ? undefined : "new Date()";
  }
  if (node.type === "ImportDeclaration" && node.typeOnly !== true) {
    const from = nameOf(node.source) ?? "";
    if (/^(node:)?(timers(\/promises)?|perf_hooks)$/.test(from)) return `import from ${from}`;
    if (!/^(node:)?crypto$/.test(from)) return undefined;
    const dice = [...walk(node)].map(nameOf).find((name) => clocks.get("crypto")?.has(name ?? ""));
    return dice === undefined ? undefined : `import of ${dice}`;
  }
  return undefined;
}

const functions = new Set(["FunctionExpression", "FunctionDeclaration", "ArrowFunctionExpression", "ClassMethod"]);

function endlessAwaits(source: Source): Finding[] {
  return nodes(source).flatMap((node) => {
    const isEndless =
      node.type === "WhileStatement" ||
      node.type === "DoWhileStatement" ||
      (node.type === "ForStatement" && !isNode(node.test));
    if (!isEndless) return [];
    const inside = [...walk(node, (inner) => !functions.has(inner.type))];
    return inside.some((inner) => inner.type === "AwaitExpression")
      ? [finding(source, node, "a loop that awaits and may never end")]
      : [];
  });
}

export const rules: readonly Rule[] = [
  {
    name: `a file has at most ${maxLines} lines`,
    appliesTo: inSrc,
    check: (source) => {
      const count = source.text.trimEnd().split("\n").length;
      return count > maxLines ? [{ path: source.path, line: count, what: `${count} lines` }] : [];
    },
  },
  {
    name: "nothing is typed any",
    appliesTo: isTypeScript,
    check: (source) =>
      nodes(source)
        .filter((node) => node.type === "TsKeywordType" && node.kind === "any")
        .map((node) => finding(source, node, "any")),
  },
  {
    name: "no work is left as a note",
    appliesTo: () => true,
    check: (source) => linesMatching(source, leftOverMarks, "a left-over mark"),
  },
  {
    name: "no test is skipped or focused",
    appliesTo: isTypeScript,
    check: skippedTests,
  },
  {
    name: "only src/main writes to the console",
    appliesTo: (path) => isShipped(path) && !path.startsWith("src/main/"),
    check: (source) => usesGlobal(source, "console"),
  },
  {
    name: "only src/main touches the process",
    appliesTo: (path) => isShipped(path) && !path.startsWith("src/main/"),
    check: (source) => usesGlobal(source, "process"),
  },
  {
    name: "nothing points outside the project",
    appliesTo: () => true,
    check: (source) => linesMatching(source, foreignPath, "a path outside the project"),
  },
  {
    name: "time and chance are injected",
    appliesTo: (path) => inSrc(path) && /^src\/(kit|engine(?!\/testing\/)|apps)\//.test(path),
    check: (source) =>
      nodes(source).flatMap((node) => {
        const what = timeOrChance(node);
        return what === undefined ? [] : [finding(source, node, what)];
      }),
  },
  {
    name: "only workers loop and await without an end",
    appliesTo: (path) => isShipped(path) && !path.startsWith("src/engine/workers/"),
    check: endlessAwaits,
  },
  {
    name: "SQL reads the clock through sluice.now()",
    appliesTo: (path) => path.endsWith(".sql.ts") || path.startsWith("src/engine/db/migrations/"),
    check: sqlReadsClock,
  },
  {
    // A status that is written past the state machine lacks what belongs to it: its history, its counts, its context.
    name: "only the engine moves items",
    appliesTo: (path) =>
      isShipped(path) && !/^src\/engine\/(db\/migrations|intake|items|operate|retention)\//.test(path),
    check: sqlMovesItems,
  },
];
