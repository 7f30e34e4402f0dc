// One clock for all durable times: sluice.now(), which tests and the simulator replace. A plain now() or a default that
// reads a clock would slip past them, and so would dice rolled inside the database.
import { type Finding, finding, nodes, type Source } from "./source.ts";

const definition =
  /create\s+(or\s+replace\s+)?function\s+sluice\.now\s*\(\)[^;]*?\bas\s+('[^']*'|\$(\w*)\$[\s\S]*?\$\3\$)/gi;

const banned: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "now()", pattern: /(?<!\bsluice\.)\bnow\s*\(/i },
  { what: "a clock word", pattern: /\b(current_(timestamp|date|time)|localtime(stamp)?)\b/i },
  { what: "a clock function", pattern: /\b((clock|statement|transaction)_timestamp|timeofday)\s*\(/i },
  { what: "'now' as a literal", pattern: /'(now|today|tomorrow|yesterday)'/i },
  { what: "a default that reads the clock", pattern: /\bdefault\s+\(*\s*sluice\.now\s*\(/i },
  { what: "dice", pattern: /\b(random|gen_random_uuid|uuidv4|uuidv7|gen_random_bytes)\s*\(/i },
];

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
}

/** What SQL there is stands in string and template literals; a plain .sql file is SQL as a whole. */
function inSql(source: Source, check: (sql: string) => string[]): Finding[] {
  if (source.tree === undefined) return check(source.text).map((what) => ({ path: source.path, line: 1, what }));
  return nodes(source).flatMap((node) => {
    const literal = node.type === "TemplateElement" ? node.raw : node.type === "StringLiteral" && node.value;
    return typeof literal === "string" ? check(literal).map((what) => finding(source, node, what)) : [];
  });
}

export function sqlReadsClock(source: Source): Finding[] {
  return inSql(source, (sql) => {
    const text = withoutComments(sql).replace(definition, "");
    return banned.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what);
  });
}

/** Applications write none of the engine's tables, and of the engine only those whose subject it is move items. */
export function sqlMovesItems(source: Source): Finding[] {
  const tables = source.path.startsWith("src/engine/") ? "(run|item|request|unique_key)\\b" : "\\w+";
  const writes = new RegExp(`\\b(insert\\s+into|update|delete\\s+from|truncate)\\s+(only\\s+)?sluice\\.${tables}`, "i");
  return inSql(source, (sql) => writes.exec(withoutComments(sql))?.slice(0, 1) ?? []);
}
